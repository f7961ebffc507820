// N philosophers, each takes the fork with the smaller number first. No circle of waiting is possible.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t fork[N];
static int user[N];

static void *dine(void *argument) {
    int me = (intptr_t)argument, next = (me + 1) % N;
    int small = me < next ? me : next, large = me < next ? next : me;
    pthread_mutex_lock(&fork[small]);
    pthread_mutex_lock(&fork[large]);
    user[small] = user[large] = me;
    assert(user[small] == me && user[large] == me);
    pthread_mutex_unlock(&fork[large]);
    pthread_mutex_unlock(&fork[small]);
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
