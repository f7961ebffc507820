// check: --property deadlock
// The barrier is for three threads, but one of them has nothing to do and leaves early.
#include <pthread.h>

static pthread_barrier_t barrier;
static int work[3] = {1, 0, 1};

static void *step(void *argument) {
    if (*(int *)argument)
        pthread_barrier_wait(&barrier); //~ error[deadlock]
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, step, &work[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
