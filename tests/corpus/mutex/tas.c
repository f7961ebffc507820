// A lock that is one bit: test and set in one step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int inside;

static void *worker(void *unused) {
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire)) {
    }
    inside++;
    assert(inside == 1);
    inside--;
    atomic_flag_clear_explicit(&taken, memory_order_release);
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
