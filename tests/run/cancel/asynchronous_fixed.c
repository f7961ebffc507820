// run: --runs 20 --seed 1
// Without pthread_cancel it does not matter how a thread would be cancelled.
#include <pthread.h>

static void *work(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);

    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);

    pthread_join(thread, NULL);
    return 0;
}
