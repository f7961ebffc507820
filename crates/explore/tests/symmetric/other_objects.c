/* Where main has allocated locks before it starts two threads alike, one of them has the place that the record of a thread has
 * otherwise. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, order = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *lock = &first, *all[2];
static sem_t arrived, go;
static int arrivals, turns, flag, is_heap;

static void *work(void *unused)
{
    pthread_mutex_lock(&order);
    int is_second = arrivals++ == 1;
    pthread_mutex_unlock(&order);
    sem_post(&arrived);
    sem_wait(&go);
    pthread_mutex_lock(&order);
    int turn = turns++;
    pthread_mutex_unlock(&order);
    if (turn == 0) {
        if (is_second)
            pthread_mutex_lock(lock);
        pthread_mutex_lock(&order);
        flag = 1;
        pthread_mutex_unlock(&order);
        if (is_second)
            pthread_mutex_unlock(lock);
    } else {
        pthread_mutex_lock(&order);
        int seen = flag;
        pthread_mutex_unlock(&order);
#ifdef BUG
        if (seen && is_heap)
            pthread_mutex_destroy(lock); /* perhaps still locked */
#else
        (void)seen;
#endif
    }
    return unused;
}

int main(void)
{
    if (__VERIFIER_nondet_bool()) {
        for (int i = 0; i < 2; i++) {
            all[i] = malloc(sizeof *lock);
            pthread_mutex_init(all[i], 0);
        }
        lock = all[1];
        is_heap = 1;
    }
    sem_init(&arrived, 0, 0);
    sem_init(&go, 0, 0);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        sem_wait(&arrived);
    for (int i = 0; i < 2; i++)
        sem_post(&go);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < 2; i++)
        free(all[i]);
    return 0;
}
