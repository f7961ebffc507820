// The new value is computed once, before the loop: the second try writes what belongs to the first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number;

static void *add(void *unused) {
    int seen = number, next = seen + 1;
    while (!atomic_compare_exchange_strong(&number, &seen, next)) {
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(number == 2);
    return 0;
}
