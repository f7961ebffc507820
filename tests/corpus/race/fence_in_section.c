// A fence inside of an atomic section orders what is around it there: the store that comes after a release fence publishes,
// the one before it does not.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int data;
static atomic_int ready;

static void *writer(void *unused) {
    data = 1;
    __VERIFIER_atomic_begin();
#ifdef MISTAKE
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
#else
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
#endif
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    __VERIFIER_atomic_begin();
    int seen = atomic_load_explicit(&ready, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    __VERIFIER_atomic_end();
    if (seen)
        data = 2;
    pthread_join(thread, NULL);
    return 0;
}
