/* Main waits for a lock that a thread held when it ended. Another thread goes on for ever. */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, beat_lock = PTHREAD_MUTEX_INITIALIZER;
static bool beat;

static void *forget_to_unlock(void *unused)
{
    pthread_mutex_lock(&lock);
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
    pthread_t ticker, forgetful;
    pthread_create(&ticker, 0, tick, 0);
    pthread_create(&forgetful, 0, forget_to_unlock, 0);
    pthread_join(forgetful, 0);
    pthread_mutex_lock(&lock);
    return 0;
}
