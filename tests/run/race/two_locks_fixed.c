// run: --runs 50 --seed 1
// Reader and writer take the same lock.
#include <pthread.h>

static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static long state;

static void update(pthread_mutex_t *lock, long by) {
    pthread_mutex_lock(lock);
    state += by;
    pthread_mutex_unlock(lock);
}

static void *deposit(void *unused) {
    (void)unused;
    update(&state_lock, 10);
    return NULL;
}

static void *withdraw(void *unused) {
    (void)unused;
    update(&state_lock, -10);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, withdraw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return state != 0;
}
