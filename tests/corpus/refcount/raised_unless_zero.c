// The repair: raise the count only from a value that is not zero, in one step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int references = 1, dead;

static void release(void) {
    if (atomic_fetch_sub(&references, 1) == 1)
        dead = 1;
}

static bool acquire(void) {
    int seen = references;
    while (seen > 0)
        if (atomic_compare_exchange_strong(&references, &seen, seen + 1))
            return true;
    return false;
}

static void *drop(void *unused) {
    release();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, drop, NULL);
    if (acquire()) {
        assert(!dead);
        release();
    }
    pthread_join(thread, NULL);
    assert(dead);
    return 0;
}
