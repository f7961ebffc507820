// check: --property assert,reach-error,lock
// A loop of a hundred rounds that constants decide needs no bound.
#include <assert.h>
#include <pthread.h>

static int sum, product = 1;

static void *add(void *unused) {
    (void)unused;
    for (int i = 1; i <= 100; i++)
        sum += i;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, add, NULL);
    for (int i = 0; i < 10; i++)
        product *= 2;
    pthread_join(a, NULL);
    assert(sum == 5050 && product == 1024);
    return 0;
}
