// Micro: two threads with two or more rounds always leave at least 2. The mistake: that they leave more. One thread's last
// addition can start from the other's first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int x;

static void *add(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        int seen = x;
        x = seen + 1;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef MISTAKE
    assert(x > 2);
#else
    assert(x >= 2 && x <= 2 * ROUNDS);
#endif
    return 0;
}
