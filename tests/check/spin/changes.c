// check: --property assert,reach-error,lock
// While nobody else is known to write the flag, this loop seems to have no end; its rounds are counted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy = 1;
static int rounds;

static void *wait(void *unused) {
    while (atomic_exchange(&busy, 1))
        rounds++;
    return unused;
}

static void *finish(void *unused) {
    atomic_store(&busy, 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, wait, NULL);
    pthread_create(&b, NULL, finish, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(rounds != 2); //~ error[assert]
    return 0;
}
