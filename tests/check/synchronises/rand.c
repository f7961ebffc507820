// check: --property race
// To draw random numbers from one generator orders nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int data;

static void *first(void *unused) {
    srand(7);
    data = rand();
    rand();
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        srand(rand());
        data = 2; //~ error[race]
    }
    pthread_join(t, NULL);
    return 0;
}
