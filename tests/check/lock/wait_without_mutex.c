// check: --property lock
// The flag is atomic, so the lock was thought to be needless; but a wait gives back a mutex that it must have.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *notify(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, notify, NULL);
    while (!ready)
        pthread_cond_wait(&changed, &lock); //~ error[lock]
    pthread_join(thread, NULL);
    return 0;
}
