/* Workers take tasks from a list; they wait for more on a condition variable. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { WORKERS = 3, TASKS = 2 };

struct task {
    struct task *next;
    int number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct task *first;
static int is_closed, done[TASKS];

static void *work(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!first && !is_closed)
            pthread_cond_wait(&more, &lock);
        struct task *task = first;
        if (task)
            first = task->next;
        pthread_mutex_unlock(&lock);
        if (!task)
            return unused;
        done[task->number]++;
        free(task);
    }
}

int main(void)
{
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], 0, work, 0);
    for (int i = 0; i < TASKS; i++) {
        struct task *task = malloc(sizeof *task);
        task->number = i;
        pthread_mutex_lock(&lock);
        task->next = first;
        first = task;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    is_closed = 1;
#ifdef BUG
    pthread_cond_signal(&more); /* not all of them */
#else
    pthread_cond_broadcast(&more);
#endif
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], 0);
    for (int i = 0; i < TASKS; i++)
        assert(done[i] == 1);
    return 0;
}
