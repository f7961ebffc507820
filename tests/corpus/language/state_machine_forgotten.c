// One thread sets the state without asking: a door that is closing becomes open.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum state { CLOSED, OPENING, OPEN, CLOSING };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int door = OPEN;

static void *close_door(void *unused) {
    pthread_mutex_lock(&lock);
    if (door == OPEN) {
        door = CLOSING;
        assert(door == CLOSING);
        door = CLOSED;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, close_door, NULL);
    door = OPEN;
    pthread_join(thread, NULL);
    return 0;
}
