// run: --runs 20 --seed 1
// The mutex is held when the wait begins, and again when it ends.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static int happened;

static void *notify(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    happened = 1;
    pthread_cond_signal(&event);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, notify, NULL);
    pthread_mutex_lock(&lock);
    while (!happened)
        pthread_cond_wait(&event, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
