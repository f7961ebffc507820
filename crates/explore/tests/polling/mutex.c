/* A thread polls a variable under a mutex until another thread has set it. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, value;

static void *produce(void *unused)
{
    (void)unused;
    value = 42;
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int is_done(void)
{
    pthread_mutex_lock(&lock);
    int now = done;
    pthread_mutex_unlock(&lock);
    return now;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, produce, 0);
    while (!is_done())
        usleep(10);
    assert(value == 42);
    pthread_join(thread, 0);
    return 0;
}
