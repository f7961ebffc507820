// check: --property race
// Nobody else uses the counter, so it orders nothing and nothing about it is an event; `done` races all the same.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static int done;

static void *worker(void *unused) {
    atomic_fetch_add_explicit(&counter, 1, memory_order_release);
    if (atomic_load_explicit(&counter, memory_order_acquire) == 1)
        (void)done; //~ error[race]
    return done ? NULL : unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    done = 1;
    pthread_join(t, NULL);
    return 0;
}
