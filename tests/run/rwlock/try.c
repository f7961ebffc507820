// run: --runs 20 --seed 1
// Readers share, writers do not; the try functions say EBUSY instead of waiting.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock;

static void *while_read(void *unused) {
    (void)unused;
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return NULL;
}

static void *while_written(void *unused) {
    (void)unused;
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    return NULL;
}

static void in_thread(void *(*function)(void *)) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
}

int main(void) {
    assert(pthread_rwlock_init(&lock, NULL) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    in_thread(while_read);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    in_thread(while_written);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
