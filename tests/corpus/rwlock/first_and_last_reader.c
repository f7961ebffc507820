// Readers and writers with a semaphore for the room: the first reader takes it, the last one gives it back.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef READERS
#define READERS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static int readers, x, y;

static void *reader(void *unused) {
    pthread_mutex_lock(&lock);
    if (++readers == 1)
        sem_wait(&room);
    pthread_mutex_unlock(&lock);

    assert(x == y);

    pthread_mutex_lock(&lock);
    if (--readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[READERS];
    sem_init(&room, 0, 1);
    for (int i = 0; i < READERS; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
    sem_wait(&room);
    x++;
    y++;
    sem_post(&room);
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
