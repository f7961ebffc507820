// Workers that draw the number of their next task from a shared counter: every task is done once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#define TASKS 3

static atomic_int next;
static int done[TASKS];

static void *work(void *unused) {
    int task;
    while ((task = atomic_fetch_add(&next, 1)) < TASKS)
        done[task]++;
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < TASKS; i++)
        assert(done[i] == 1);
    return 0;
}
