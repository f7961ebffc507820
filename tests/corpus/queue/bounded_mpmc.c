// A bounded queue for many producers and consumers: each slot has a turn counter that says who may use it next. A
// producer claims a place by compare and exchange, writes, and then hands the slot over.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SIZE 2

static struct {
    atomic_uint turn;
    int value;
} slot[SIZE] = {{0, 0}, {1, 0}};
static atomic_uint back;

static bool enqueue(int value) {
    for (;;) {
        unsigned place = back, turn = slot[place % SIZE].turn;
        if (turn < place)
            return false;
        if (turn == place && atomic_compare_exchange_strong(&back, &place, place + 1)) {
            slot[place % SIZE].value = value;
            slot[place % SIZE].turn = place + 1;
            return true;
        }
    }
}

static void *produce(void *argument) {
    bool done = enqueue(*(int *)argument);
    assert(done);
    return NULL;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, produce, &one);
    pthread_create(&b, NULL, produce, &two);
    while (slot[0].turn != 1) {
    }
    int first = slot[0].value;
    while (slot[1].turn != 2) {
    }
    assert(first + slot[1].value == 3);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
