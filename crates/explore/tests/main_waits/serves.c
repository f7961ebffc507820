/* Main joins the thread that goes on for ever, as servers do. That another one waits is nothing to report. */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, beat_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_ready = PTHREAD_COND_INITIALIZER;
static bool ready, beat;

static void *wait_until_ready(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&is_ready, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *tick(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&beat_lock);
        beat = !beat;
        pthread_mutex_unlock(&beat_lock);
    }
    return unused;
}

int main(void)
{
    pthread_t ticker, waiter;
    pthread_create(&ticker, 0, tick, 0);
    pthread_create(&waiter, 0, wait_until_ready, 0);
    pthread_join(ticker, 0);
    return 0;
}
