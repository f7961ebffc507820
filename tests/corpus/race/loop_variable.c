// All threads get the address of the loop's variable, which goes on counting.
#include <pthread.h>

static int seen[2];

static void *work(void *argument) {
    int me = *(int *)argument;
    if (me < 2)
        seen[me] = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &i);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
