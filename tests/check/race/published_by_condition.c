// check: --property race
// The message is handed over with a condition variable, and changed once more after the signal.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int message, ready;

static void *send(void *unused) {
    message = 1;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    message = 2; //~ error[race]
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&filled, &lock);
    pthread_mutex_unlock(&lock);
    int received = message;
    pthread_join(thread, NULL);
    return received == 0;
}
