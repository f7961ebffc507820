// N threads fill an array; each takes its place by fetch_add, and no place is written twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static int cell[N];
static atomic_int next;

static void *fill(void *unused) {
    int place = atomic_fetch_add(&next, 1);
    cell[place]++;
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, fill, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++)
        assert(cell[i] == 1);
    return 0;
}
