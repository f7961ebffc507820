// Moir and Anderson's splitter: of two threads that go through it, at most one stops, not both go right, and not both
// go down.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum way { RIGHT, DOWN, STOP };

static atomic_int last, closed;
static enum way way[2];

static enum way split(int me) {
    last = me;
    if (closed)
        return RIGHT;
    closed = 1;
    return last == me ? STOP : DOWN;
}

static void *walk(void *argument) {
    int me = (intptr_t)argument;
    way[me] = split(me);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, walk, (void *)0);
    pthread_create(&b, NULL, walk, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(way[0] != way[1]);
    return 0;
}
