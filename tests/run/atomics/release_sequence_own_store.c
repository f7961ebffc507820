// run: --runs 200
// A thread's own later store continues the release sequence that its release store began.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *publish(void *unused) {
    (void)unused;
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publish, NULL);
    while (atomic_load_explicit(&flag, memory_order_acquire) != 2) {
    }
    assert(data == 1);
    pthread_join(thread, NULL);
    return 0;
}
