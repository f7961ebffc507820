// check: --property race
// A ring for one producer and one consumer. Each frees or fills a slot with release when it is done with it.
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 1, ITEMS = 2 };
static int slots[SIZE];
static atomic_uint head, tail;

static void *produce(void *unused) {
    for (unsigned i = 0; i < ITEMS; i++) {
        while (i - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
            ;
        slots[i % SIZE] = 1;
        atomic_store_explicit(&tail, i + 1, memory_order_release);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    pthread_create(&thread, NULL, produce, NULL);
    for (unsigned i = 0; i < ITEMS; i++) {
        while (atomic_load_explicit(&tail, memory_order_acquire) == i)
            ;
        sum += slots[i % SIZE];
        atomic_store_explicit(&head, i + 1, memory_order_release);
    }
    pthread_join(thread, NULL);
    return sum == 0;
}
