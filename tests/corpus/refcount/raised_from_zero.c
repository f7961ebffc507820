// A thread that finds the object in a table raises its count, which may have fallen to zero before: the object comes
// back from the dead.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int references = 1, dead;

static void *drop(void *unused) {
    if (atomic_fetch_sub(&references, 1) == 1)
        dead = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, drop, NULL);
    if (references > 0) {
        atomic_fetch_add(&references, 1);
        assert(!dead);
        atomic_fetch_sub(&references, 1);
    }
    pthread_join(thread, NULL);
    return 0;
}
