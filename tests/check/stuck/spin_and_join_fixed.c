// check: --property stuck
// The worker runs until it is told to stop. Main tells it, and then joins it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;

static void *work(void *unused) {
    while (!stop)
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    stop = 1;
    pthread_join(thread, NULL);
    return 0;
}
