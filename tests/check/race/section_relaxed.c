// check: --property race
// A relaxed load and a relaxed store end a release sequence, also when they are in one section.
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static atomic_int stage;
static int data;

static void *middle(void *unused) {
    __VERIFIER_atomic_begin();
    if (atomic_load_explicit(&stage, memory_order_relaxed) == 1)
        atomic_store_explicit(&stage, 2, memory_order_relaxed);
    __VERIFIER_atomic_end();
    return unused;
}

static void *last(void *unused) {
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        data = 2; //~ error[race]
    return unused;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, middle, NULL);
    pthread_create(&t, NULL, last, NULL);
    data = 1;
    atomic_store_explicit(&stage, 1, memory_order_release);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
