// sem_trywait takes only what is there.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t tokens;
static atomic_int taken;

static void *take(void *unused) {
    if (sem_trywait(&tokens) == 0)
        taken++;
    else
        assert(errno == EAGAIN);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    int left;
    sem_init(&tokens, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, take, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    sem_getvalue(&tokens, &left);
    assert(taken == 2 && left == 0);
    return 0;
}
