// check:
// One atomic is relaxed, and nothing rests on it: races are looked for as ever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready, reads;

static void *read_it(void *unused) {
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(data == 1);
    atomic_fetch_add_explicit(&reads, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, read_it, NULL);
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    pthread_join(a, NULL);
    assert(reads == 1);
    return 0;
}
