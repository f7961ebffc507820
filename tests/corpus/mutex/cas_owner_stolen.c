// A failed compare and exchange leaves what it found in the expected value. Trying again with that takes the lock away
// from its owner.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int owner, inside;

static void lock(int me) {
    int nobody = 0;
    while (!atomic_compare_exchange_strong(&owner, &nobody, me)) {
    }
}

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    lock(me);
    assert(inside++ == 0);
    inside--;
    owner = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
