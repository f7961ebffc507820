// check: --property assert,reach-error,lock
// A loop that begins inside of an atomic section and leaves it in its first round: then the other thread can go on.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);

static int done, first, closed = 1;

static void *open(void *unused) {
    first = 1;
    closed = 0;
    done = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, open, NULL);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(closed);
    int seen = first;
    while (!done) {
        if (closed) {
            __VERIFIER_atomic_end();
            while (closed) {
            }
        }
    }
    assert(seen); //~ error[assert]
    return 0;
}
