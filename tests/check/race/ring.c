// check: --property race
// A ring for one producer and one consumer. The consumer frees a slot before it has read it.
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 1, ITEMS = 2 };
static int slots[SIZE];
static atomic_uint head, tail;

static void *produce(void *unused) {
    for (unsigned i = 0; i < ITEMS; i++) {
        while (i - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
            ;
        slots[i % SIZE] = 1; //~ error[race]
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
        atomic_store_explicit(&head, i + 1, memory_order_release);
        sum += slots[i % SIZE];
    }
    pthread_join(thread, NULL);
    return sum == 0;
}
