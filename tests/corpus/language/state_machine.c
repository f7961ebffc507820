// A door that two threads move through its states by a switch, under a lock. Not every state has every successor.
#include <assert.h>
#include <pthread.h>

enum state { CLOSED, OPENING, OPEN, CLOSING };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum state door = CLOSED;

static enum state next(enum state state) {
    switch (state) {
    case CLOSED:
        return OPENING;
    case OPENING:
        return OPEN;
    case OPEN:
        return CLOSING;
    default:
        return CLOSED;
    }
}

static void *push(void *unused) {
    pthread_mutex_lock(&lock);
    enum state before = door;
    door = next(door);
    assert(before != CLOSED || door == OPENING);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, push, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(door == OPEN);
    return 0;
}
