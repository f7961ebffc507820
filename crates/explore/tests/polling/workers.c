/* Workers take tasks from a list under a mutex until it is empty; main polls how many are done. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

enum { WORKERS = 2, TASKS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next, finished, results[TASKS];

static void *work(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        int task = next < TASKS ? next++ : -1;
        pthread_mutex_unlock(&lock);
        if (task < 0)
            return 0;
        results[task] = task + 1;
        pthread_mutex_lock(&lock);
        finished++;
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], 0, work, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        int count = finished;
        pthread_mutex_unlock(&lock);
        if (count == TASKS)
            break;
        sched_yield();
    }
    for (int i = 0; i < TASKS; i++)
        assert(results[i] == i + 1);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], 0);
    return 0;
}
