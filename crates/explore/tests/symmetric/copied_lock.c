/* One of two threads alike copies a spin lock that it holds; the copy says which one that was. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t lock, copy;
static sem_t arrived, go;
static int arrivals, turns;

static void *work(void *unused)
{
    pthread_mutex_lock(&order);
    if (arrivals++ == 0) {
        pthread_spin_lock(&lock);
        copy = lock;
        pthread_spin_unlock(&lock);
    }
    pthread_mutex_unlock(&order);
    sem_post(&arrived);
    sem_wait(&go);
    pthread_mutex_lock(&order);
    if (turns++ == 0) {
#ifdef BUG
        pthread_spin_unlock(&copy); /* perhaps the other one's */
#endif
    }
    pthread_mutex_unlock(&order);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_spin_init(&lock, 0);
    pthread_spin_init(&copy, 0);
    sem_init(&arrived, 0, 0);
    sem_init(&go, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        sem_wait(&arrived);
    for (int i = 0; i < 2; i++)
        sem_post(&go);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
