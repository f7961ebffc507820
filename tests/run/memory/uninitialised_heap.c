// run: --runs 1
// malloc does not clear the memory.
#include <stdlib.h>

int main(void) {
    int *counts = malloc(4 * sizeof *counts);
    int empty = 0;
    for (int i = 0; i < 4; i++)
        if (counts[i] == 0) //~ error[memory]
            empty++;
    free(counts);
    return empty != 4;
}
