// check: --property assert,reach-error,lock
// The new value is computed from a second look at the variable, not from the one that is compared.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = 1;

static void *twice(void *unused) {
    (void)unused;
    int old = atomic_load(&value);
    while (!atomic_compare_exchange_strong(&value, &old, atomic_load(&value) * 2)) {
    }
    return NULL;
}

static void *flip(void *unused) {
    (void)unused;
    atomic_store(&value, 3);
    atomic_store(&value, 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, twice, NULL);
    pthread_create(&b, NULL, flip, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int last = atomic_load(&value);
    assert(last == 1 || last == 2); //~ error[assert]
    return 0;
}
