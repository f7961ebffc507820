// check: --property stuck
// The worker says that it is ready, unless it finds nothing to do: then main waits for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int work, ready;

static void *prepare(void *unused) {
    if (!work)
        return unused;
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, prepare, NULL);
    work = 1;
    while (!ready) //~ error[stuck]
        ;
    pthread_join(thread, NULL);
    return 0;
}
