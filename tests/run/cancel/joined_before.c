// run: --runs 20 --seed 1
// The thread is gone when it is cancelled.
#include <pthread.h>

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    pthread_cancel(thread); //~ error[lock]
    return 0;
}
