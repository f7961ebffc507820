// run: --runs 50 --seed 1
// Opposite order without a deadlock: whoever does not get the second lock gives up the first.
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int transfers;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
        sched_yield();
    }
    transfers++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *forth(void *unused) {
    (void)unused;
    both(&a, &b);
    return NULL;
}

static void *back(void *unused) {
    (void)unused;
    both(&b, &a);
    return NULL;
}

int main(void) {
    pthread_t x, y;
    pthread_create(&x, NULL, forth, NULL);
    pthread_create(&y, NULL, back, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return transfers != 2;
}
