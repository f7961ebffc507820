// Read-modify-writes are one step: N threads that take a number by fetch_add all get different ones.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int next;
static int number[N];

static void *take(void *argument) {
    *(int *)argument = atomic_fetch_add(&next, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, take, &number[i]);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            assert(number[i] != number[j]);
    return 0;
}
