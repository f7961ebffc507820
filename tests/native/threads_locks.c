// Many threads, one total: under a mutex, a spin lock, a read-write lock, a semaphore and atomics.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static long by_mutex, by_spin, by_rwlock, by_semaphore;
static atomic_long by_atomic;

static void *work(void *argument) {
    int n = *(int *)argument;
    for (int i = 1; i <= n; i++) {
        pthread_mutex_lock(&mutex);
        by_mutex += i;
        pthread_mutex_unlock(&mutex);
        pthread_spin_lock(&spin);
        by_spin += i;
        pthread_spin_unlock(&spin);
        pthread_rwlock_wrlock(&rwlock);
        by_rwlock += i;
        pthread_rwlock_unlock(&rwlock);
        sem_wait(&semaphore);
        by_semaphore += i;
        sem_post(&semaphore);
        by_atomic += i;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[5];
    int counts[5] = {3, 10, 7, 20, 1};
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 1);
    for (int i = 0; i < 5; i++)
        pthread_create(&threads[i], NULL, work, &counts[i]);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], NULL);
    pthread_rwlock_rdlock(&rwlock);
    printf("%ld %ld %ld %ld %ld\n", by_mutex, by_spin, by_rwlock, by_semaphore, by_atomic);
    pthread_rwlock_unlock(&rwlock);
    pthread_spin_destroy(&spin);
    pthread_rwlock_destroy(&rwlock);
    sem_destroy(&semaphore);
    return 0;
}
