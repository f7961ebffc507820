// check: --property assert,reach-error,lock
// The flag is raised before the data is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *produce(void *unused) {
    (void)unused;
    atomic_store(&ready, 1);
    data = 5;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, produce, NULL);
    while (!atomic_load(&ready)) {
    }
    assert(data == 5); //~ error[assert]
    pthread_join(a, NULL);
    return 0;
}
