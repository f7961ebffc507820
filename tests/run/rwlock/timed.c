// run: --runs 200 --seed 1
// The timed write lock can time out; the program insists on having got it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *hold(void *unused) {
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct timespec deadline = {.tv_sec = 2000000000};
    pthread_create(&thread, NULL, hold, NULL);
    int result = pthread_rwlock_timedwrlock(&lock, &deadline);
    assert(result == 0); //~ error[assert]
    if (result == 0)
        pthread_rwlock_unlock(&lock);
    result = pthread_rwlock_timedrdlock(&lock, &deadline);
    if (result == 0)
        pthread_rwlock_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
