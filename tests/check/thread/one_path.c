// check: --property assert,reach-error,lock
// Threads are started on one of two paths only, and the paths meet at the end.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

static unsigned limit, seen;

static void *look(void *unused) {
    seen = limit;
    return unused;
}

int main(void) {
    unsigned n = tp_input_uint("n");
    if (n > 4)
        return 0;
    limit = n;
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, NULL);
    assert(seen < 4); //~ error[assert]
    return 0;
}
