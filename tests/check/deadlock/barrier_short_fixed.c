// check: --property deadlock
// The barrier is for three threads, and also the one that has nothing to do comes to it.
#include <pthread.h>

static pthread_barrier_t barrier;
static int work[3] = {1, 0, 1};

static void *step(void *argument) {
    if (*(int *)argument)
        *(int *)argument = 2;
    pthread_barrier_wait(&barrier);
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
