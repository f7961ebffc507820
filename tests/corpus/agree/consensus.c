// N threads agree on one of their inputs by compare and exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

#ifndef N
#define N 2
#endif

static atomic_int decision;
static int proposal[N], decided[N];

static void *propose(void *argument) {
    int *mine = argument, none = 0;
    atomic_compare_exchange_strong(&decision, &none, *mine);
    decided[mine - proposal] = decision;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    int valid = 0;
    for (int i = 0; i < N; i++) {
        proposal[i] = tp_input_range("proposal", 1, 9);
        pthread_create(&threads[i], NULL, propose, &proposal[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++) {
        assert(decided[i] == decided[0]);
        valid |= decided[0] == proposal[i];
    }
    assert(valid);
    return 0;
}
