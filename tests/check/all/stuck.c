// check: --all --property stuck,deadlock
// Two threads spin on locks that they take in two orders. That nobody goes on is one finding, wherever they stand.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag a = ATOMIC_FLAG_INIT, b = ATOMIC_FLAG_INIT;

static void lock(atomic_flag *flag) {
    while (atomic_flag_test_and_set(flag)) //~ error[stuck]
        ;
}

static void *forth(void *unused) {
    lock(&a);
    lock(&b);
    atomic_flag_clear(&b);
    atomic_flag_clear(&a);
    return unused;
}

static void *back(void *unused) {
    lock(&b);
    lock(&a);
    atomic_flag_clear(&a);
    atomic_flag_clear(&b);
    return unused;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, forth, NULL);
    pthread_create(&t, NULL, back, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
