// run: --runs 50 --seed 1
// A cache entry is refreshed while only the read lock is held.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entry;

static void *refresh(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    entry++; //~ error[race]
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, refresh, NULL);
    pthread_create(&b, NULL, refresh, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return entry == 0;
}
