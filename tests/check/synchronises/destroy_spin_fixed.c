// check: --property race
// To lock it before does.
#include <pthread.h>
#include <stdatomic.h>

static pthread_spinlock_t lock;
static atomic_int flag;
static int data;

static void *first(void *unused) {
    pthread_spin_lock(&lock);
    data = 1;
    pthread_spin_unlock(&lock);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&lock, 0);
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        pthread_spin_lock(&lock);
        pthread_spin_unlock(&lock);
        pthread_spin_destroy(&lock);
        data = 2;
    }
    pthread_join(t, NULL);
    return 0;
}
