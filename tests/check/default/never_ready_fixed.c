// check:
// `ready` is set before main waits for the thread.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *wait_for_it(void *unused) {
    while (!ready)
        ;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, wait_for_it, NULL);
    ready = 1;
    pthread_join(a, NULL);
    return 0;
}
