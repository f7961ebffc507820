// check: --property race
// What comes after a barrier is not known to the others that were there.
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int flag;
static int data;

static void *first(void *unused) {
    pthread_barrier_wait(&barrier);
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, first, NULL);
    pthread_barrier_wait(&barrier);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        data = 2; //~ error[race]
    }
    pthread_join(t, NULL);
    return 0;
}
