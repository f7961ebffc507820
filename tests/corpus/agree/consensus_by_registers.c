// Loads and stores cannot agree: both may find that nothing was decided.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int decision;
static int proposal[2] = {1, 2}, decided[2];

static void *propose(void *argument) {
    int *mine = argument;
    if (decision == 0)
        decision = *mine;
    decided[mine - proposal] = decision;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, propose, &proposal[0]);
    pthread_create(&b, NULL, propose, &proposal[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(decided[0] == decided[1]);
    return 0;
}
