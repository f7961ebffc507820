// check: --property assert,reach-error,lock
// The element before the first of these is never the one behind the last.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

static int items[8];
static unsigned at;

static void *write(void *unused) {
    int *behind = &items[at];
    behind[-1] = 5;
    return unused;
}

int main(void) {
    at = tp_input_uint("at");
    tp_assume(at >= 1 && at <= 4);
    pthread_t thread;
    pthread_create(&thread, NULL, write, NULL);
    pthread_join(thread, NULL);
    assert(items[4] == 0 && items[at - 1] == 5);
    return 0;
}
