// The main thread waits: the end of a thread happens before the return of its join.
#include <assert.h>
#include <pthread.h>

static int result;

static void *compute(void *unused) {
    result = 42;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, NULL);
    assert(result == 42);
    return 0;
}
