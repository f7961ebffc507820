// run: --runs 50 --seed 1
// A barrier separates the phase that writes the cells from the one that reads them.
#include <pthread.h>

static int cells[2], sums[2];
static pthread_barrier_t phase;

static void *worker(void *argument) {
    int self = *(int *)argument;
    cells[self] = self + 1;
    pthread_barrier_wait(&phase);
    sums[self] = cells[0] + cells[1];
    return NULL;
}

int main(void) {
    int zero = 0, one = 1;
    pthread_t a, b;
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&a, NULL, worker, &zero);
    pthread_create(&b, NULL, worker, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&phase);
    return sums[0] != sums[1];
}
