// A ring buffer for one producer and one consumer, without locks. Each index is written by one side only: released after
// the slot was used, acquired by the other side before it touches the slot. This one is correct.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SLOTS = 4, ITEMS = 10 };

static int slots[SLOTS];
static atomic_uint written, taken;

static bool put(int item) {
    unsigned at = atomic_load_explicit(&written, memory_order_relaxed);
    if (at - atomic_load_explicit(&taken, memory_order_acquire) == SLOTS)
        return false;
    slots[at % SLOTS] = item;
    atomic_store_explicit(&written, at + 1, memory_order_release);
    return true;
}

static bool take(int *item) {
    unsigned at = atomic_load_explicit(&taken, memory_order_relaxed);
    if (at == atomic_load_explicit(&written, memory_order_acquire))
        return false;
    *item = slots[at % SLOTS];
    atomic_store_explicit(&taken, at + 1, memory_order_release);
    return true;
}

static void *produce(void *unused) {
    (void)unused;
    for (int i = 0; i < ITEMS; i++)
        while (!put(i))
            sched_yield();
    return NULL;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (int expected = 0; expected < ITEMS; expected++) {
        int item = -1;
        while (!take(&item))
            sched_yield();
        assert(item == expected);
    }
    pthread_join(producer, NULL);
    return 0;
}
