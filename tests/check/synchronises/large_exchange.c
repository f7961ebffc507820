// check: --property race
// An exchange of a large atomic object orders what its order says: nothing here.
#include <pthread.h>
#include <stdatomic.h>

struct big {
    int words[8];
};

static _Atomic struct big big;
static atomic_int flag;
static int data;

static void *first(void *unused) {
    data = 1;
    struct big one = {{1}};
    (void)atomic_exchange_explicit(&big, one, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        struct big two = {{2}};
        (void)atomic_exchange_explicit(&big, two, memory_order_acquire);
        data = 2; //~ error[race]
    }
    pthread_join(t, NULL);
    return 0;
}
