// check: --property assert,reach-error,lock
// How much is copied is an input; the last byte never is.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <threadproof.h>

static char from[8] = "abcdefg", to[8];
static unsigned length;

static void *copy(void *unused) {
    memcpy(to, from, length);
    return unused;
}

int main(void) {
    length = tp_input_uint("length");
    tp_assume(length < 8);
    pthread_t thread;
    pthread_create(&thread, NULL, copy, NULL);
    pthread_join(thread, NULL);
    assert(to[0] == (length ? 'a' : 0));
    assert(to[7] == 0);
    return 0;
}
