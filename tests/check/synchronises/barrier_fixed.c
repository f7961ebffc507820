// check: --property race
// What comes before it is.
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int flag;
static int data;

static void *first(void *unused) {
    data = 1;
    pthread_barrier_wait(&barrier);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t, NULL, first, NULL);
    pthread_barrier_wait(&barrier);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        data = 2;
    }
    pthread_join(t, NULL);
    return 0;
}
