// check: --property race
// To join does.
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t keys[2];
static atomic_int flag;
static int data;

static void *first(void *unused) {
    data = 1;
    pthread_key_create(&keys[0], NULL);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        pthread_key_create(&keys[1], NULL);
        pthread_setspecific(keys[1], &keys);
    }
    pthread_join(t, NULL);
    data = 2;
    return 0;
}
