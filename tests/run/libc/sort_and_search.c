// run: --runs 1
// The comparison function compares by subtraction, which overflows for the extreme keys.
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x - y; //~ error[overflow]
}

int main(void) {
    int keys[] = {5, INT_MIN, 3, INT_MAX, -2, 3};
    qsort(keys, 6, sizeof keys[0], compare);
    for (int i = 1; i < 6; i++)
        assert(keys[i - 1] <= keys[i]);
    int wanted = -2;
    assert(bsearch(&wanted, keys, 6, sizeof keys[0], compare) == &keys[1]);
    wanted = 4;
    assert(bsearch(&wanted, keys, 6, sizeof keys[0], compare) == NULL);
    return 0;
}
