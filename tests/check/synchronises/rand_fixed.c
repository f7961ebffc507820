// check: --property race
// To draw random numbers from one generator orders nothing; the flag does.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;
static int data;

static void *first(void *unused) {
    srand(7);
    data = rand();
    rand();
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire)) {
        srand(rand());
        data = 2;
    }
    pthread_join(t, NULL);
    return 0;
}
