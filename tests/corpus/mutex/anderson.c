// Anderson's array lock: threads wait in the slots of an array, and each hands the lock to the next slot.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int may_go[N] = {1};
static atomic_uint next;
static int inside;

static void *worker(void *unused) {
    unsigned slot = atomic_fetch_add(&next, 1) % N;
    while (!may_go[slot]) {
    }
    may_go[slot] = 0;
    inside++;
    assert(inside == 1);
    inside--;
    may_go[(slot + 1) % N] = 1;
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
