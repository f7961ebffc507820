// check: --property assert,reach-error,lock
// An element is written through a pointer to the one behind it.
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
    assert(items[2] == 0); //~ error[assert]
    return 0;
}
