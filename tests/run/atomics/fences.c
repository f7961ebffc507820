// run: --runs 100 --seed 1
// The reader's fence is missing: the relaxed load orders nothing.
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
        assert(data == 1); //~ error[race]
    }
    pthread_join(thread, NULL);
    return 0;
}
