// run: --runs 50 --seed 1
// The result of trylock is ignored: sometimes the counter is changed without the lock.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused) {
    (void)unused;
    int got = pthread_mutex_trylock(&lock) == 0;
    counter++; //~ error[race]
    if (got)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
