// check: --property assert,reach-error,lock
// A recursion with an end that constants decide, and two threads that add up its results without a lock.
#include <assert.h>
#include <pthread.h>

static int total;

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static void *work(void *argument) {
    total += fibonacci(*(int *)argument);
    return NULL;
}

int main(void) {
    static int five = 5, seven = 7;
    pthread_t a, b;
    pthread_create(&a, NULL, work, &five);
    pthread_create(&b, NULL, work, &seven);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 18); //~ error[assert]
    return 0;
}
