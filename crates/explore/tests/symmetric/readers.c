/* Who finds a value that is not made yet makes it, under a lock for writing. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value, made;

static void *work(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int seen = value;
    pthread_rwlock_unlock(&lock);
    if (!seen) {
        pthread_rwlock_wrlock(&lock);
#ifndef BUG
        if (!value)
#endif
        {
            value = 1;
            made++;
        }
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(made == 1);
    return 0;
}
