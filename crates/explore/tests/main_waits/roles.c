/* Of two threads that are alike, the first to come goes on for ever and the other one waits for ever. Main may join the one
 * that waits. */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static bool taken, beat;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    if (taken)
        for (;;)
            pthread_cond_wait(&never, &lock);
    taken = true;
    pthread_mutex_unlock(&lock);
    for (;;) {
        pthread_mutex_lock(&lock);
        beat = !beat;
        pthread_mutex_unlock(&lock);
    }
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
