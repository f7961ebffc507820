// The repair: it waits for the pointer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int number;
static int *_Atomic pointer;

static void *make(void *unused) {
    number = 7;
    pointer = &number;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, make, NULL);
    int *seen;
    while (!(seen = pointer)) {
    }
    assert(*seen == 7);
    pthread_join(thread, NULL);
    return 0;
}
