// check: --property race
// Double-checked locking with a relaxed pointer: it is atomic and orders nothing, so the table may not be there yet.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table[2];
static int *_Atomic shared;

static int *get(void) {
    int *seen = atomic_load_explicit(&shared, memory_order_relaxed);
    if (!seen) {
        pthread_mutex_lock(&lock);
        seen = atomic_load_explicit(&shared, memory_order_relaxed);
        if (!seen) {
            table[1] = 7;
            seen = table;
            atomic_store_explicit(&shared, seen, memory_order_relaxed);
        }
        pthread_mutex_unlock(&lock);
    }
    return seen;
}

static void *use(void *unused) {
    (void)get()[1]; //~ error[race]
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
