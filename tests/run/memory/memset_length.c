// run: --runs 1
// sizeof of the whole array is used for one row.
#include <stdlib.h>
#include <string.h>

int main(void) {
    int (*grid)[4] = malloc(2 * sizeof *grid);
    memset(grid[1], 0, 2 * sizeof *grid); //~ error[memory]
    free(grid);
    return 0;
}
