// check: --property assert,reach-error,lock
// A spin lock by exchange: a round that finds it taken changes nothing. So there is a proof, however long one has to wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int counter;

static void lock(void) {
    while (atomic_exchange(&taken, 1))
        ;
}

static void *count(void *unused) {
    lock();
    counter++;
    atomic_store(&taken, 0);
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_create(&c, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(counter == 3);
    return 0;
}
