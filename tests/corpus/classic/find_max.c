// The largest of N values, each compared and stored under a lock.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value[N], largest;

static void *compare(void *argument) {
    int mine = *(int *)argument;
    pthread_mutex_lock(&lock);
    if (mine > largest)
        largest = mine;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        value[i] = tp_input_range("value", 0, 100);
        pthread_create(&threads[i], NULL, compare, &value[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++)
        assert(value[i] <= largest);
    return 0;
}
