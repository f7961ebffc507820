// The pointer is read again for the second call, and another function answers.
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
    int (*first)(int) = operation, (*second)(int) = operation;
    assert(first(3) == second(3));
    pthread_join(thread, NULL);
    return 0;
}
