// run: --runs 50 --seed 1 --spurious-wakeups
// One waiter, one signal, but a wait may also end without a signal; `if` takes that for the event.
#include <assert.h>
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
    if (!happened)
        pthread_cond_wait(&event, &lock);
    assert(happened); //~ error[assert]
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
