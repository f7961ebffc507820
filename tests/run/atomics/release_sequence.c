// run: --runs 100 --seed 1
// A read-modify-write keeps the release sequence going: the reader of its value is ordered after the first release.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int stage;

static void *publish(void *unused) {
    (void)unused;
    data = 1;
    atomic_store_explicit(&stage, 1, memory_order_release);
    return NULL;
}

static void *advance(void *unused) {
    (void)unused;
    int one = 1;
    atomic_compare_exchange_strong_explicit(&stage, &one, 2, memory_order_relaxed, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, advance, NULL);
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        assert(data == 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
