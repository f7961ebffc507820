/* Two threads write under different locks, which one function takes. */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *twice(void *lock)
{
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(lock);
        if (round)
            shared = 1;
        pthread_mutex_unlock(lock);
    }
    return 0;
}

static void *nothing(void *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return 0;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, twice, &left);
    pthread_create(&b, 0, twice, &right);
    pthread_create(&c, 0, nothing, &left);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
