// check: --property assert,reach-error,lock
// The result of trylock is ignored: who did not get the lock unlocks it all the same.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int tries;

static void *visit(void *unused) {
    (void)unused;
    pthread_mutex_trylock(&lock);
    tries++;
    pthread_mutex_unlock(&lock); //~ error[lock]
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, visit, NULL);
    pthread_create(&b, NULL, visit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
