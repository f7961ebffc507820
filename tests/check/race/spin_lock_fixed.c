// check: --property race
// A lock that is taken with acquire and given back with release.
#include <pthread.h>
#include <stdatomic.h>

atomic_int taken;
int balance;

void *deposit(void *arg) {
    while (atomic_exchange_explicit(&taken, 1, memory_order_acquire)) {
    }
    balance++;
    atomic_store_explicit(&taken, 0, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, deposit, 0);
    deposit(0);
    return 0;
}
