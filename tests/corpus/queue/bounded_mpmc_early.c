// The bounded queue with a slot that is handed over before it was written: a consumer can find the old value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_uint turn;
    atomic_int value;
} slot;

static void *produce(void *unused) {
    slot.turn = 1;
    slot.value = 7;
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    while (slot.turn != 1) {
    }
    assert(slot.value == 7);
    pthread_join(producer, NULL);
    return 0;
}
