// check: --property assert,reach-error,lock
// Every thread gets the address of the same loop variable, which goes on while they start.
#include <assert.h>
#include <pthread.h>

#define THREADS 3
static int done[THREADS + 1];

static void *work(void *argument) {
    done[*(int *)argument] = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int i;
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &i);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; t++)
        assert(done[t]); //~ error[assert]
    return 0;
}
