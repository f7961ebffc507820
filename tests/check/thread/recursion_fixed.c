// check: --property assert,reach-error,lock
// The same with the sum formed by the thread that waits for both.
#include <assert.h>
#include <pthread.h>

static int parts[2];

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static void *work(void *argument) {
    int *cell = argument;
    *cell = fibonacci(*cell);
    return NULL;
}

int main(void) {
    parts[0] = 5;
    parts[1] = 7;
    pthread_t a, b;
    pthread_create(&a, NULL, work, &parts[0]);
    pthread_create(&b, NULL, work, &parts[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(parts[0] + parts[1] == 18);
    return 0;
}
