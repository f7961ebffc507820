// run: --runs 20 --seed 1
// A thread waits for its own end.
#include <pthread.h>

static void *wait_for_myself(void *unused) {
    (void)unused;
    pthread_join(pthread_self(), NULL); //~ error[lock]
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_myself, NULL);
    pthread_join(thread, NULL);
    return 0;
}
