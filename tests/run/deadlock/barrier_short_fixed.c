// run: --runs 20 --seed 1
// The barrier expects as many threads as come.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *unused) {
    (void)unused;
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
