// check: --property lock
// The mutex is unlocked also when the attempt to lock it has failed.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *unused) {
    if (pthread_mutex_trylock(&lock) == 0)
        done++;
    pthread_mutex_unlock(&lock); //~ error[lock]
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
