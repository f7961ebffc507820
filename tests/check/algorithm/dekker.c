// check: --property assert,reach-error,lock
// Dekker's algorithm without the line that says that one wants to enter again after it gave way. The second time round
// nobody sees that the other is inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *argument) {
    int me = *(int *)argument, other = 1 - me;
    for (int round = 0; round < 2; round++) {
        atomic_store(&wants[me], 1);
        while (atomic_load(&wants[other])) {
            if (atomic_load(&turn) == other) {
                atomic_store(&wants[me], 0);
                while (atomic_load(&turn) == other) {
                }
            }
        }
        inside++;
        assert(inside == 1); //~ error[assert]
        inside--;
        atomic_store(&turn, other);
        atomic_store(&wants[me], 0);
    }
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
