// The ring with relaxed counters: a slot is written and read without anything that orders the two.
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#define ITEMS 3

static int slot[SIZE], sum;
static atomic_uint written, read;

static void *produce(void *unused) {
    for (unsigned i = 0; i < ITEMS; i++) {
        while (i - atomic_load_explicit(&read, memory_order_relaxed) == SIZE) {
        }
        slot[i % SIZE] = i + 1;
        atomic_store_explicit(&written, i + 1, memory_order_relaxed);
    }
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (unsigned i = 0; i < ITEMS; i++) {
        while (atomic_load_explicit(&written, memory_order_relaxed) == i) {
        }
        sum += slot[i % SIZE];
        atomic_store_explicit(&read, i + 1, memory_order_relaxed);
    }
    pthread_join(producer, NULL);
    return sum == 0;
}
