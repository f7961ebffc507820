// check:
// Nobody sets `ready`: the thread waits in its loop for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *wait_for_it(void *unused) {
    while (!ready) //~ error[stuck]
        ;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, wait_for_it, NULL);
    pthread_join(a, NULL);
    return 0;
}
