// check: --property assert,reach-error,lock
// Every round counts, also one that does not get through: this is no loop that only waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int gate = 2, attempts;

static void *pass(void *unused) {
    while (atomic_fetch_sub(&gate, 1) > 0)
        atomic_fetch_add(&attempts, 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pass, NULL);
    pthread_create(&b, NULL, pass, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(attempts != 2); //~ error[assert]
    return 0;
}
