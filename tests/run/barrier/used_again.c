// run: --runs 50 --seed 1
// The same barrier separates three rounds; nobody is a round ahead of what its partner has finished.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int round_of[2];

static void *play(void *argument) {
    int self = *(int *)argument;
    for (int round = 1; round <= 3; round++) {
        round_of[self] = round;
        pthread_barrier_wait(&barrier);
        assert(round_of[1 - self] == round);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    int zero = 0, one = 1;
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, play, &one);
    play(&zero);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
