// check: --property assert,reach-error,lock
// A short handle is the distance from one block to another; the base and the handle together are the other one's address.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static int *base;
static unsigned short handle;

static void *use(void *unused) {
    *(int *)((uintptr_t)base + ((uintptr_t)handle << 4)) = 5;
    return 0;
}

int main(void) {
    base = calloc(16, sizeof *base);
    int *other = calloc(16, sizeof *other);
    handle = (unsigned short)(((uintptr_t)other - (uintptr_t)base) >> 4);
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    pthread_join(thread, 0);
    assert(*other == 0); //~ error[assert]
    return 0;
}
