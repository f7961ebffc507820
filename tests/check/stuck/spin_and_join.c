// check: --property stuck
// The worker runs until it is told to stop. Main joins it, and would have told it afterwards.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static void *work(void *unused) {
    while (!stop) //~ error[stuck]
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    stop = 1;
    return 0;
}
