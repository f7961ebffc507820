// check: --property assert,reach-error,lock
// A loop that only waits needs no bound: it is safe, not safe within bounds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *produce(void *unused) {
    (void)unused;
    data = 5;
    atomic_store(&ready, 1);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, produce, NULL);
    while (!atomic_load(&ready)) {
    }
    assert(data == 5);
    pthread_join(a, NULL);
    return 0;
}
