// run: --runs 20 --seed 1
// One thread locks, another one unlocks.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *unlock(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&lock); //~ error[lock]
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, unlock, NULL);
    pthread_join(thread, NULL);
    return 0;
}
