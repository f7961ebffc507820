/* One thread frees under its lock what the other uses under another one. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t both = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void take(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
}

static void *use(void *unused)
{
    take(&both);
    pthread_mutex_unlock(&both);
    take(&left);
    int *present = shared;
    if (present)
        *present = 1;
    pthread_mutex_unlock(&left);
    return unused;
}

static void *end(void *unused)
{
    take(&both);
    pthread_mutex_unlock(&both);
    take(&right);
    free(shared);
    shared = 0;
    pthread_mutex_unlock(&right);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    shared = malloc(sizeof *shared);
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, end, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
