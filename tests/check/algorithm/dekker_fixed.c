// check: --property assert,reach-error,lock
// Dekker's algorithm. A round of its outer loop that only waits is told from one that changes what the other thread can see.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *argument) {
    int me = *(int *)argument, other = 1 - me;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) == other) {
            atomic_store(&wants[me], 0);
            while (atomic_load(&turn) == other) {
            }
            atomic_store(&wants[me], 1);
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store(&turn, other);
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
