// run: --runs 20 --seed 1
// The condition variable is waited for without holding the mutex.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;

static void *notify(void *unused) {
    (void)unused;
    pthread_cond_signal(&event);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, notify, NULL);
    pthread_cond_wait(&event, &lock); //~ error[lock]
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
