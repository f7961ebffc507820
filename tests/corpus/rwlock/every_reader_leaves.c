// The same with every reader giving the room back: the writer comes in while others still read.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static int readers;
static atomic_int reading, writing;

static void *reader(void *unused) {
    pthread_mutex_lock(&lock);
    if (++readers == 1)
        sem_wait(&room);
    pthread_mutex_unlock(&lock);

    reading++;
    assert(!writing);
    reading--;

    pthread_mutex_lock(&lock);
    readers--;
    sem_post(&room);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&room, 0, 1);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    sem_wait(&room);
    writing = 1;
    assert(!reading);
    writing = 0;
    sem_post(&room);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
