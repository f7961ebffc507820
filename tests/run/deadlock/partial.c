// run: --runs 50 --seed 1 --max-steps 20000
// Two threads are stuck in each other's locks for good while a third one goes on working.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int beats, stop;

static void *heartbeat(void *unused) {
    (void)unused;
    while (!stop)
        beats++;
    return NULL;
}

static void *first(void *unused) {
    (void)unused;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~ error[deadlock]
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *second(void *unused) {
    (void)unused;
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t h, x, y;
    pthread_create(&h, NULL, heartbeat, NULL);
    pthread_create(&x, NULL, first, NULL);
    pthread_create(&y, NULL, second, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    stop = 1;
    pthread_join(h, NULL);
    return 0;
}
