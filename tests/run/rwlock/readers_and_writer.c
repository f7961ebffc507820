// run: --runs 50 --seed 1
// The reader assumes that nobody writes between its two looks, but drops the lock in between.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int version;

static void *write_next(void *unused) {
    (void)unused;
    pthread_rwlock_wrlock(&lock);
    version++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *read_twice(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    int before = version;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_rdlock(&lock);
    int after = version;
    pthread_rwlock_unlock(&lock);
    assert(before == after); //~ error[assert]
    return NULL;
}

int main(void) {
    pthread_t writer, a, b;
    pthread_create(&writer, NULL, write_next, NULL);
    pthread_create(&a, NULL, read_twice, NULL);
    pthread_create(&b, NULL, read_twice, NULL);
    pthread_join(writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
