// Which function a thread calls is decided by another one, through an atomic pointer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int twice(int n) {
    return 2 * n;
}

static int square(int n) {
    return n * n;
}

static int (*_Atomic operation)(int) = twice;

static void *choose(void *unused) {
    operation = square;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, choose, NULL);
    int (*chosen)(int) = operation;
    int result = chosen(3);
    assert(result == 6 || result == 9);
    pthread_join(thread, NULL);
    chosen = operation;
    assert(chosen(4) == 16);
    return 0;
}
