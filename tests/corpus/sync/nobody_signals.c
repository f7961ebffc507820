// Two threads wait for a flag that nobody sets. They wait for ever, and no claim fails. The way out of their loops is closed by a
// constant that no round changes: a proof must not follow round after round.
#include <assert.h>
#include <pthread.h>

static int ready, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *wait_for_it(void *argument)
{
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    done++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, wait_for_it, 0);
    pthread_create(&b, 0, wait_for_it, 0);
    pthread_mutex_lock(&lock);
    assert(done == 0);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
