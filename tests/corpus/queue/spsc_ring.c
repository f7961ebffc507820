// A ring for one producer and one consumer without locks: each side writes its own counter, and publishes by it what it
// did with the slots.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#ifndef ITEMS
#define ITEMS 3
#endif

static int slot[SIZE];
static atomic_uint written, read;

static void *produce(void *unused) {
    for (unsigned i = 0; i < ITEMS; i++) {
        while (i - atomic_load_explicit(&read, memory_order_acquire) == SIZE) {
        }
        slot[i % SIZE] = i + 1;
        atomic_store_explicit(&written, i + 1, memory_order_release);
    }
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (unsigned i = 0; i < ITEMS; i++) {
        while (atomic_load_explicit(&written, memory_order_acquire) == i) {
        }
        assert(slot[i % SIZE] == (int)i + 1);
        atomic_store_explicit(&read, i + 1, memory_order_release);
    }
    pthread_join(producer, NULL);
    return 0;
}
