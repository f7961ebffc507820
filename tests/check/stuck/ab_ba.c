// check: --property stuck
// Two spin locks, taken in two orders.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag a = ATOMIC_FLAG_INIT, b = ATOMIC_FLAG_INIT;

static void both(atomic_flag *first, atomic_flag *second) {
    while (atomic_flag_test_and_set(first))
        ;
    while (atomic_flag_test_and_set(second)) //~ error[stuck]
        ;
    atomic_flag_clear(second);
    atomic_flag_clear(first);
}

static void *back(void *unused) {
    both(&b, &a);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, back, NULL);
    both(&a, &b);
    pthread_join(thread, NULL);
    return 0;
}
