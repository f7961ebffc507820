// check: --property race
// A compare-exchange of a large atomic object that fails orders what its second order says: nothing here.
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
    atomic_store_explicit(&big, one, memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        struct big zero = {{0}}, two = {{2}};
        atomic_compare_exchange_strong_explicit(&big, &zero, two, memory_order_acquire, memory_order_relaxed);
        data = 2; //~ error[race]
    }
    pthread_join(t, NULL);
    return 0;
}
