// check: --property assert
// A thread fails before a function that nobody knows is called, which nothing keeps the first thread from.
#include <assert.h>
#include <pthread.h>

extern void blink(void);

static void *measure(void *unused) {
    assert(unused != NULL); //~ error[assert]
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, measure, NULL);
    blink();
    return 0;
}
