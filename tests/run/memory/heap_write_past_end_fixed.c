// run: --runs 1
// Exactly as many elements are written as were allocated.
#include <stdlib.h>

int main(void) {
    int n = 5;
    int *squares = malloc(n * sizeof *squares);
    for (int i = 0; i < n; i++)
        squares[i] = i * i;
    free(squares);
    return 0;
}
