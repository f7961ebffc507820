// check: --property race
// Two phases with a barrier between them; what is read in the second was written in the first.
#include <pthread.h>

static pthread_barrier_t between;
static int cells[2], sums[2];

static void *work(void *argument) {
    int me = *(int *)argument;
    cells[me] = 1;
    pthread_barrier_wait(&between);
    sums[me] = cells[0] + cells[1];
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    pthread_barrier_init(&between, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
