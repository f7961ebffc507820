// check: --property lock
// The helper joins the worker, and main the helper: so both have ended.
#include <pthread.h>

static pthread_t worker;

static void *work(void *unused) {
    return unused;
}

static void *wait_for_worker(void *unused) {
    pthread_join(worker, NULL);
    return unused;
}

int main(void) {
    pthread_t helper;
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&helper, NULL, wait_for_worker, NULL);
    pthread_join(helper, NULL);
    return 0;
}
