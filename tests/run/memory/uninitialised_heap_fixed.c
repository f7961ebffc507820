// run: --runs 1
// calloc clears the memory.
#include <stdlib.h>

int main(void) {
    int *counts = calloc(4, sizeof *counts);
    int empty = 0;
    for (int i = 0; i < 4; i++)
        if (counts[i] == 0)
            empty++;
    free(counts);
    return empty != 4;
}
