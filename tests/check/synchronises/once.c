// check: --property race
// What comes after the routine in one thread is not known to the others that call pthread_once.
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void set_up(void) {}
static atomic_int flag;
static int data;

static void *first(void *unused) {
    pthread_once(&once, set_up);
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        pthread_once(&once, set_up);
        data = 2; //~ error[race]
    }
    pthread_join(t, NULL);
    return 0;
}
