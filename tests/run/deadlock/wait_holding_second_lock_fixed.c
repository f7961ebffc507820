// run: --runs 50 --seed 1
// The outer lock is released before the wait.
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static bool happened;

static void *notify(void *unused) {
    (void)unused;
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&lock);
    happened = true;
    pthread_cond_signal(&event);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&outer);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&outer);
    pthread_create(&thread, NULL, notify, NULL);
    pthread_mutex_unlock(&outer);
    pthread_mutex_lock(&lock);
    while (!happened)
        pthread_cond_wait(&event, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
