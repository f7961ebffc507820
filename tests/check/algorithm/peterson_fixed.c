// check: --property assert,reach-error,lock
// Peterson's algorithm, with accesses that happen one after the other. The loops only wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *argument) {
    int me = *(int *)argument, other = 1 - me;
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
    }
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void) {
    static int zero = 0, one = 1;
    pthread_t a, b;
    pthread_create(&a, NULL, enter, &zero);
    pthread_create(&b, NULL, enter, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
