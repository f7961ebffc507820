// run: --runs 1
// The allocation functions: what they return, keep and clear.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *zeros = calloc(3, sizeof *zeros);
    assert(zeros[0] == 0 && zeros[2] == 0);
    zeros[1] = 7;
    zeros = realloc(zeros, 6 * sizeof *zeros);
    assert(zeros[1] == 7);
    zeros[5] = 8;
    zeros = realloc(zeros, 2 * sizeof *zeros);
    assert(zeros[1] == 7);
    free(zeros);
    char *fresh = realloc(NULL, 3);
    strcpy(fresh, "ab");
    free(fresh);
    void *aligned = aligned_alloc(64, 128);
    assert((uintptr_t)aligned % 64 == 0);
    free(aligned);
    void *also = NULL;
    assert(posix_memalign(&also, 32, 10) == 0 && (uintptr_t)also % 32 == 0);
    free(also);
    void *a = malloc(0), *b = malloc(0);
    assert(a == NULL || a != b);
    free(a);
    free(b);
    volatile size_t huge = SIZE_MAX / 2;
    assert(calloc(huge, 4) == NULL);
    free(NULL);
    return 0;
}
