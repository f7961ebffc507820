// Message passing along a chain of N threads: each one that sees its predecessor's flag raises its own. Plain data that
// was written before the first flag is there for whoever sees the last one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static int data;
static atomic_int flag[N + 1];

static void *send(void *unused) {
    data = 7;
    atomic_store(&flag[0], 1);
    return unused;
}

static void *pass_on(void *argument) {
    atomic_int *before = argument;
    if (atomic_load(before))
        atomic_store(before + 1, 1);
    return NULL;
}

int main(void) {
    pthread_t sender, threads[N];
    pthread_create(&sender, NULL, send, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, pass_on, &flag[i]);
    if (atomic_load(&flag[N]))
        assert(data == 7);
    pthread_join(sender, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
