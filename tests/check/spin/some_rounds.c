// check: --property assert,reach-error,lock
// Some rounds of this loop only wait. Others count, or answer the other thread: those are followed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int asks, answers, ready;

static void *ask(void *unused) {
    atomic_store(&asks, 1);
    while (!atomic_load(&answers)) {
    }
    atomic_store(&asks, 0);
    atomic_store(&ready, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, ask, 0);
    int answered = 0;
    while (!atomic_load(&ready)) {
        if (atomic_load(&asks)) {
            answered++;
            atomic_store(&answers, 1);
        }
    }
    pthread_join(thread, 0);
    assert(answered == 1); //~ error[assert]
    return 0;
}
