// run: --runs 50 --seed 1
// A timed wait for a semaphore can time out, which the program forgets.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t reply;

static void *answer(void *unused) {
    (void)unused;
    sem_post(&reply);
    return NULL;
}

int main(void) {
    struct timespec deadline = {.tv_sec = 2000000000};
    pthread_t thread;
    sem_init(&reply, 0, 0);
    pthread_create(&thread, NULL, answer, NULL);
    int result = sem_timedwait(&reply, &deadline);
    assert(result == 0); //~ error[assert]
    pthread_join(thread, NULL);
    sem_destroy(&reply);
    return 0;
}
