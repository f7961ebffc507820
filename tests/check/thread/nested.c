// check: --property assert,reach-error,lock
// A thread starts another one and does not wait for it.
#include <assert.h>
#include <pthread.h>

static int answer;

static void *inner(void *unused) {
    (void)unused;
    answer = 42;
    return NULL;
}

static void *outer(void *unused) {
    (void)unused;
    pthread_t thread;
    pthread_create(&thread, NULL, inner, NULL);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, outer, NULL);
    pthread_join(thread, NULL);
    assert(answer == 42); //~ error[assert]
    return 0;
}
