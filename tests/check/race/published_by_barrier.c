// check: --property race
// Two phases with a barrier between them; in the second, each reads what the other writes in it.
#include <pthread.h>

static pthread_barrier_t between;
static int cells[2];

static void *work(void *argument) {
    int me = *(int *)argument;
    cells[me] = 1;
    pthread_barrier_wait(&between);
    cells[me] += cells[1 - me]; //~ error[race]
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
