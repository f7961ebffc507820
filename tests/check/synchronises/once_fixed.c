// check: --property race
// What the routine has done is.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void set_up(void) { data = 1; }
static atomic_int flag;

static void *first(void *unused) {
    pthread_once(&once, set_up);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        pthread_once(&once, set_up);
        data = 2;
    }
    pthread_join(t, NULL);
    return 0;
}
