// run: --runs 1
// One element too many is written to a heap array.
#include <stdlib.h>

int main(void) {
    int n = 5;
    int *squares = malloc(n * sizeof *squares);
    for (int i = 0; i <= n; i++)
        squares[i] = i * i; //~ error[memory]
    free(squares);
    return 0;
}
