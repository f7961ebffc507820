// run: --runs 50 --seed 1
// Each worker reads its neighbour's cell without waiting for the phase to end.
#include <pthread.h>

static int cells[2], sums[2];

static void *worker(void *argument) {
    int self = *(int *)argument;
    cells[self] = self + 1; //~ error[race]
    sums[self] = cells[0] + cells[1];
    return NULL;
}

int main(void) {
    int zero = 0, one = 1;
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &zero);
    pthread_create(&b, NULL, worker, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return sums[0] != sums[1];
}
