// check: --property race
// The pointer is atomic: written with release and read with acquire, so that the table comes along.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table[2];
static int *_Atomic shared;

static int *get(void) {
    int *seen = atomic_load_explicit(&shared, memory_order_acquire);
    if (!seen) {
        pthread_mutex_lock(&lock);
        seen = atomic_load_explicit(&shared, memory_order_acquire);
        if (!seen) {
            table[1] = 7;
            seen = table;
            atomic_store_explicit(&shared, seen, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return seen;
}

static void *use(void *unused) {
    (void)get()[1];
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
