// The repair of the ABA problem: the top is the number of a node together with a counter of changes, in one word. A top
// that came back is not the same word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define NONE 0
struct node {
    atomic_int next, in_use;
};

static struct node nodes[3] = {{0}, {2, 0}, {NONE, 0}};
static _Atomic uint32_t top = 1;

static uint32_t changed(uint32_t old, int number) {
    return (old & 0xffff0000u) + 0x10000u + (uint32_t)number;
}

static int pop(void) {
    uint32_t seen = top;
    for (;;) {
        int first = seen & 0xffff;
        if (first == NONE)
            return NONE;
        int next = nodes[first].next;
        if (atomic_compare_exchange_strong(&top, &seen, changed(seen, next))) {
            assert(atomic_exchange(&nodes[first].in_use, 1) == 0);
            return first;
        }
    }
}

static void push(int number) {
    uint32_t seen = top;
    nodes[number].in_use = 0;
    do {
        nodes[number].next = seen & 0xffff;
    } while (!atomic_compare_exchange_strong(&top, &seen, changed(seen, number)));
}

static void *juggle(void *unused) {
    int first = pop();
    pop();
    if (first != NONE)
        push(first);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, juggle, NULL);
    pop();
    pthread_join(thread, NULL);
    return 0;
}
