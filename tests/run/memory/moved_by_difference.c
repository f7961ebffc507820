// run: --runs 1
// After realloc an iterator is moved by the difference of the old and the new address.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *buffer = calloc(8, 1);
    char *at = buffer + 3;
    *at = 'x';
    uintptr_t old = (uintptr_t)buffer;
    buffer = realloc(buffer, 100);
    at = (char *)((uintptr_t)at + ((uintptr_t)buffer - old));
    assert(*at == 'x');
    free(buffer);
    return 0;
}
