// run: --runs 50 --seed 1 --spurious-wakeups
// A wait that ends without a signal does no harm when the condition is looked at again.
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
    while (!happened)
        pthread_cond_wait(&event, &lock);
    assert(happened);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
