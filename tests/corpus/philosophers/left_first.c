// N philosophers, each takes the fork on its left and then the one on its right. When all have their left one, all
// wait.
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t fork[N];

static void *dine(void *argument) {
    int me = (intptr_t)argument;
    pthread_mutex_lock(&fork[me]);
    pthread_mutex_lock(&fork[(me + 1) % N]);
    pthread_mutex_unlock(&fork[(me + 1) % N]);
    pthread_mutex_unlock(&fork[me]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, dine, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
