// A value that is easy to miss: the flag is set by one input in 65536, and only then a thread sees it too early.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

static atomic_int unlocked, door;

static void *enter(void *unused) {
    unsigned code = tp_input_range("code", 0, 65535);
    if ((code * 40503u & 0xffffu) == 4711u) {
        unlocked = 1;
        door = 1;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, enter, NULL);
    if (unlocked)
        assert(door);
    pthread_join(thread, NULL);
    return 0;
}
