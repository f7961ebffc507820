// Two halves that belong together in one atomic word: always read and written as one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint32_t both;

static void *move(void *unused) {
    for (uint32_t i = 1; i <= 2; i++)
        both = i << 16 | i;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, move, NULL);
    uint32_t seen = both;
    assert(seen >> 16 == (seen & 0xffff));
    pthread_join(thread, NULL);
    return 0;
}
