// A pool with a list of tasks: WORKERS threads take them, and wait for more until the pool is closed.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct task {
    struct task *next;
    int number;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct task *first, **end;
    bool is_closed;
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &pool.first, false};

static int done[TASKS];

static void *work(void *unused) {
    for (;;) {
        pthread_mutex_lock(&pool.lock);
        while (!pool.first && !pool.is_closed)
            pthread_cond_wait(&pool.more, &pool.lock);
        struct task *task = pool.first;
        if (task) {
            pool.first = task->next;
            if (!pool.first)
                pool.end = &pool.first;
        }
        pthread_mutex_unlock(&pool.lock);
        if (!task)
            return unused;
        done[task->number]++;
        free(task);
    }
}

static void submit(int number) {
    struct task *task = malloc(sizeof *task);
    *task = (struct task){NULL, number};
    pthread_mutex_lock(&pool.lock);
    *pool.end = task;
    pool.end = &task->next;
    pthread_cond_signal(&pool.more);
    pthread_mutex_unlock(&pool.lock);
}

int main(void) {
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < TASKS; i++)
        submit(i);
    pthread_mutex_lock(&pool.lock);
    pool.is_closed = true;
    pthread_cond_broadcast(&pool.more);
    pthread_mutex_unlock(&pool.lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    for (int i = 0; i < TASKS; i++)
        assert(done[i] == 1);
    return 0;
}
