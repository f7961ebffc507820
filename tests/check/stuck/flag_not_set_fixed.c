// check: --property stuck
// The worker says that it is ready, whether or not there is something to do.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int work, ready;

static void *prepare(void *unused) {
    if (work)
        work = 2;
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, prepare, NULL);
    work = 1;
    while (!ready)
        ;
    pthread_join(thread, NULL);
    return 0;
}
