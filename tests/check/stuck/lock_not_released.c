// check: --property stuck
// A spin lock of an atomic flag. On one way out of the function it stays locked.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int balance = 1;

static void *withdraw(void *unused) {
    while (atomic_flag_test_and_set(&lock)) //~ error[stuck]
        ;
    if (balance == 0)
        return unused;
    balance--;
    atomic_flag_clear(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, withdraw, NULL);
    pthread_create(&b, NULL, withdraw, NULL);
    withdraw(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
