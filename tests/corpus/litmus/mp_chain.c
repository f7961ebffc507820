// Message passing along a chain of N threads: each one that sees its predecessor's flag raises its own. Plain data that
// was written before the first flag is there when the last flag is up.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static int data;
static atomic_int flag[N + 1];

static void *pass_on(void *argument) {
    atomic_int *before = argument;
    if (atomic_load(before))
        atomic_store(before + 1, 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, pass_on, &flag[i]);
    data = 7;
    atomic_store(&flag[0], 1);
    data += 0 * atomic_load(&flag[N]);
    if (atomic_load(&flag[N]))
        assert(data == 7);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
