// check: --property assert,reach-error,lock --unwind 3
// Two threads double and add with compare-and-swap loops. A loop goes round again only after the other thread has
// succeeded, which happens once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = 1;

static void *twice(void *unused) {
    (void)unused;
    int old = atomic_load(&value);
    while (!atomic_compare_exchange_strong(&value, &old, old * 2)) {
    }
    return NULL;
}

static void *add(void *unused) {
    (void)unused;
    int old = atomic_load(&value);
    while (!atomic_compare_exchange_strong(&value, &old, old + 3)) {
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, twice, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int last = atomic_load(&value);
    assert(last == 5 || last == 8);
    return 0;
}
