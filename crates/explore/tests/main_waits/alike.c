/* Two threads that are alike wait for ever, and main joins them. A third one goes on for ever. */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tasks = 1;
static bool beat;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    while (tasks == 0)
        pthread_cond_wait(&changed, &lock);
    tasks--;
    if (tasks == 0)
        while (tasks == 0)
            pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *tick(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        beat = !beat;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t ticker, workers[2];
    pthread_create(&ticker, 0, tick, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], 0);
    return 0;
}
