// A lock whose unlock is a relaxed store: the next owner is alone inside, but what the last one wrote is not ordered
// before what it does.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int shared;

static void *worker(void *unused) {
    while (atomic_exchange_explicit(&taken, 1, memory_order_acquire)) {
    }
    shared++;
    atomic_store_explicit(&taken, 0, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return shared == 5;
}
