// check: --property lock
// Both the helper and main join the worker.
#include <pthread.h>

static pthread_t worker;

static void *work(void *unused) {
    return unused;
}

static void *wait_for_worker(void *unused) {
    pthread_join(worker, NULL); //~ error[lock]
    return unused;
}

int main(void) {
    pthread_t helper;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&helper, NULL, wait_for_worker, NULL);
    pthread_join(worker, NULL);
    pthread_join(helper, NULL);
    return 0;
}
