// Write to read causality: a thread sees x and writes y; who sees y sees x too. The mistake: there is no causality when y
// is written whether x was seen or not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *cause(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

static void *effect(void *unused) {
#ifdef MISTAKE
    atomic_load(&x);
    atomic_store(&y, 1);
#else
    if (atomic_load(&x) == 1)
        atomic_store(&y, 1);
#endif
    return unused;
}

int main(void) {
    pthread_t c, e;
    pthread_create(&c, NULL, cause, NULL);
    pthread_create(&e, NULL, effect, NULL);
    if (atomic_load(&y) == 1)
        assert(atomic_load(&x) == 1);
    pthread_join(c, NULL);
    pthread_join(e, NULL);
    return 0;
}
