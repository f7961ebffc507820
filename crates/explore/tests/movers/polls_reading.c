/* A thread polls under a read lock what nobody sets. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int done;

static void *poll(void *unused)
{
    for (;;) {
        pthread_rwlock_rdlock(&lock);
        int now = done;
        pthread_rwlock_unlock(&lock);
        if (now)
            return unused;
    }
}

static void *reset(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    done = 0;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, poll, 0);
    pthread_create(&b, 0, reset, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
