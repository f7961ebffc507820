// run: --runs 20 --seed 1
// pthread_spin_trylock says EBUSY when another thread holds the lock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;

static void *try(void *expected) {
    int result = pthread_spin_trylock(&lock);
    assert(result == *(int *)expected);
    if (result == 0)
        pthread_spin_unlock(&lock);
    return NULL;
}

static void in_thread(int expected) {
    pthread_t thread;
    pthread_create(&thread, NULL, try, &expected);
    pthread_join(thread, NULL);
}

int main(void) {
    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    in_thread(0);
    assert(pthread_spin_lock(&lock) == 0);
    in_thread(EBUSY);
    assert(pthread_spin_unlock(&lock) == 0);
    assert(pthread_spin_destroy(&lock) == 0);
    return 0;
}
