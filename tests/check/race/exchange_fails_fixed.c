// check: --property race
// Whoever comes second uses what the first has made: the exchange acquires when it fails as well.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int storage[2];
_Atomic(int *) table;

int use(int *mine) {
    *mine = 7;
    int *there = NULL;
    if (atomic_compare_exchange_strong_explicit(&table, &there, mine, memory_order_acq_rel,
                                                memory_order_acquire))
        return *mine;
    return *there;
}

void *user(void *arg) {
    use(&storage[1]);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, user, 0);
    return use(&storage[0]);
}
