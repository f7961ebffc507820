// check: --property assert,reach-error,lock --unwind 2
// A thread that starts a thread of its own kind, as often as the input says.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threadproof.h>

static atomic_int alive;

static void *work(void *unused) {
    int others = atomic_fetch_add(&alive, 1);
    assert(others >= 0);
    if (tp_input_bool("more")) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        pthread_join(thread, NULL);
    }
    atomic_fetch_sub(&alive, 1);
    return NULL;
}

int main(void) {
    work(NULL);
    return 0;
}
