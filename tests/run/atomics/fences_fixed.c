// run: --runs 100 --seed 1
// Relaxed accesses with a release fence before the store and an acquire fence after the load (C11 7.17.4).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *publish(void *unused) {
    (void)unused;
    data = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publish, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 1);
    }
    pthread_join(thread, NULL);
    return 0;
}
