// run: --runs 1
// sizeof of a row is used for a row.
#include <stdlib.h>
#include <string.h>

int main(void) {
    int (*grid)[4] = malloc(2 * sizeof *grid);
    memset(grid[1], 0, sizeof *grid);
    free(grid);
    return 0;
}
