// run: --runs 100 --seed 1
// A broadcast wakes those who wait now. Who comes later waits for the next one, so the generations stay apart.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int arrived, generation;

static void rendezvous(void) {
    pthread_mutex_lock(&lock);
    int mine = generation;
    if (++arrived == 2) {
        arrived = 0;
        generation++;
        pthread_cond_broadcast(&turn);
    } else {
        while (generation == mine)
            pthread_cond_wait(&turn, &lock);
    }
    assert(generation > mine);
    pthread_mutex_unlock(&lock);
}

static void *twice(void *unused) {
    (void)unused;
    rendezvous();
    rendezvous();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, twice, NULL);
    twice(NULL);
    pthread_join(thread, NULL);
    assert(generation == 2);
    return 0;
}
