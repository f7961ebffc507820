// run: --runs 100 --seed 1
// A condition variable is destroyed while a thread waits for it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *wait(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    waiting = 1;
    pthread_cond_wait(&event, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_mutex_lock(&lock);
    if (waiting)
        pthread_cond_destroy(&event); //~ error[lock]
    pthread_mutex_unlock(&lock);
    return 0;
}
