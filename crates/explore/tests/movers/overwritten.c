/* What one thread writes under its lock, the other overwrites under another one. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t both = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void take(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
}

static void *one(void *unused)
{
    take(&both);
    pthread_mutex_unlock(&both);
    take(&left);
    shared = 1;
    assert(shared == 1);
    pthread_mutex_unlock(&left);
    return unused;
}

static void *two(void *unused)
{
    take(&both);
    pthread_mutex_unlock(&both);
    take(&right);
    shared = 2;
    pthread_mutex_unlock(&right);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
