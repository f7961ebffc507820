// Both forks at once, or none: a monitor in which a philosopher waits until both neighbours are done.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int taken[N];

static void *dine(void *argument) {
    int left = (intptr_t)argument, right = (left + 1) % N;
    pthread_mutex_lock(&lock);
    while (taken[left] || taken[right])
        pthread_cond_wait(&changed, &lock);
    taken[left]++;
    taken[right]++;
    pthread_mutex_unlock(&lock);

    pthread_mutex_lock(&lock);
    assert(taken[left] == 1 && taken[right] == 1);
    taken[left]--;
    taken[right]--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, dine, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
