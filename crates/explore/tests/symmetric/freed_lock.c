/* Each thread has a lock of its own on the heap, and still has a pointer to it when it is freed. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused)
{
    pthread_mutex_t *own = malloc(sizeof *own);
    pthread_mutex_init(own, 0);
    pthread_mutex_lock(own);
    pthread_mutex_unlock(own);
    free(own);
    pthread_mutex_lock(&lock);
    if (own)
        count++;
    pthread_mutex_unlock(&lock);
#ifdef BUG
    pthread_mutex_lock(own);
#endif
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
