// The same without the loop: who loses does nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number;

static void *step(void *unused) {
    int seen = number;
    atomic_compare_exchange_strong(&number, &seen, 2 * seen + 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, step, NULL);
    pthread_create(&b, NULL, step, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(number == 3);
    return 0;
}
