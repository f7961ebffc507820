// At most two of three threads are in the room.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t room;
static atomic_int inside;

static void *visit(void *unused) {
    sem_wait(&room);
    assert(++inside <= 2);
    inside--;
    sem_post(&room);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    sem_init(&room, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, visit, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
