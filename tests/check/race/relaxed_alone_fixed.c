// check: --property race
// Nobody else uses the counter, so it orders nothing and nothing about it is an event; main waits before it writes.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static int done;

static void *worker(void *unused) {
    atomic_fetch_add_explicit(&counter, 1, memory_order_release);
    if (atomic_load_explicit(&counter, memory_order_acquire) == 1)
        (void)done;
    return done ? NULL : unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    done = 1;
    return 0;
}
