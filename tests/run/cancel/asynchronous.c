// run: --runs 20 --seed 1
// Cancellation between any two instructions is not there, and says so.
#include <pthread.h>

static void *work(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL); //~ error[unsupported]
    for (;;)
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
