// run: --runs 50 --seed 1
// The waiter does not check whether the event has already happened: a signal before the wait is lost.
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static bool happened;

static void *notify(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    happened = true;
    pthread_cond_signal(&event);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, notify, NULL);
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&event, &lock); //~ error[deadlock]
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return !happened;
}
