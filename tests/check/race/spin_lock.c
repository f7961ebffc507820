// check: --property race
// A lock that is taken with acquire and given back relaxed: the next owner does not know what the last one did.
#include <pthread.h>
#include <stdatomic.h>

atomic_int taken;
int balance;

void *deposit(void *arg) {
    while (atomic_exchange_explicit(&taken, 1, memory_order_acquire)) {
    }
    balance++; //~ error[race]
    atomic_store_explicit(&taken, 0, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, deposit, 0);
    deposit(0);
    return 0;
}
