// exit in a thread does not come in time for what the main thread asserts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;

static void *leave(void *unused) {
    if (!done)
        exit(unused ? 1 : 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, leave, NULL);
    done = 1;
    pthread_join(thread, NULL);
    assert(!done);
    return 0;
}
