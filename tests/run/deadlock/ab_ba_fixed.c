// run: --runs 50 --seed 1
// Two threads take the same two locks in the same order.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    (void)unused;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

int main(void) {
    pthread_t x, y;
    pthread_create(&x, NULL, first, NULL);
    pthread_create(&y, NULL, second, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return 0;
}
