// run: --runs 1
// After realloc the old pointer is used.
#include <stdlib.h>

int main(void) {
    int *items = malloc(2 * sizeof *items);
    items[0] = 7;
    items[1] = 8;
    int *more = realloc(items, 4 * sizeof *items);
    int first = items[0]; //~ error[memory]
    free(more);
    return first != 7;
}
