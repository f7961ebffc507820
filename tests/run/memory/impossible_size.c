// run: --runs 1
// No object can be as large as this: malloc says so with a null pointer.
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    volatile size_t size = SIZE_MAX;
    char *p = malloc(size);
    assert(p == NULL && errno == ENOMEM);
    char *q = malloc(4);
    assert(realloc(q, size) == NULL);
    free(q);
    return 0;
}
