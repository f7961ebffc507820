// check: --property race
// Who has tried to write, and can, knows of all readers before.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int flag;
static int data;

static void *first(void *unused) {
    pthread_rwlock_rdlock(&lock);
    data = 1;
    pthread_rwlock_unlock(&lock);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        if (pthread_rwlock_trywrlock(&lock) == 0) {
            data = 2;
            pthread_rwlock_unlock(&lock);
        }
    }
    pthread_join(t, NULL);
    return 0;
}
