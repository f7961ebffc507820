// check: --property assert,reach-error,lock
// A loop that lets others run while it waits is still one that only waits.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int turn;
static int log_[4], length;

static void *odd(void *unused) {
    (void)unused;
    for (int i = 1; i < 4; i += 2) {
        while (atomic_load(&turn) != i)
            sched_yield();
        log_[length++] = i;
        atomic_store(&turn, i + 1);
    }
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, odd, NULL);
    for (int i = 0; i < 4; i += 2) {
        while (atomic_load(&turn) != i)
            sched_yield();
        log_[length++] = i;
        atomic_store(&turn, i + 1);
    }
    pthread_join(a, NULL);
    for (int i = 0; i < 4; i++)
        assert(log_[i] == i);
    return 0;
}
