// run: --runs 20
// Two threads wait for each other's turn, which lies in a local of one of them. Each of them polls, and something changes.
#include <pthread.h>
#include <stdatomic.h>

static void *answer(void *argument) {
    atomic_int *turn = argument;
    for (int i = 0; i < 40; i++) {
        while (atomic_load(turn) != 1)
            ;
        atomic_store(turn, 0);
    }
    return NULL;
}

int main(void) {
    atomic_int turn = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, answer, &turn);
    for (int i = 0; i < 40; i++) {
        while (atomic_load(&turn) != 0)
            ;
        atomic_store(&turn, 1);
    }
    pthread_join(thread, NULL);
    return 0;
}
