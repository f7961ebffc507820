/* Producers and consumers of a buffer with one place. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, sum;

static void *produce(void *unused)
{
    pthread_mutex_lock(&lock);
    while (full)
        pthread_cond_wait(&changed, &lock);
    full = 1;
#ifdef BUG
    pthread_cond_signal(&changed); /* may wake another producer */
#else
    pthread_cond_broadcast(&changed);
#endif
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *consume(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&changed, &lock);
    full = 0;
    sum++;
#ifdef BUG
    pthread_cond_signal(&changed);
#else
    pthread_cond_broadcast(&changed);
#endif
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t producers[3], consumers[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&producers[i], 0, produce, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&consumers[i], 0, consume, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(producers[i], 0);
    for (int i = 0; i < 3; i++)
        pthread_join(consumers[i], 0);
    assert(sum == 3);
    return 0;
}
