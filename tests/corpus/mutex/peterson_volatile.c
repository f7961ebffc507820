// Peterson's algorithm with volatile variables: right on a machine that does one thing after the other, and in C a
// race.
#include <pthread.h>
#include <stdint.h>

static volatile int wants[2], turn;
static int shared;

static void *worker(void *argument) {
    int me = (intptr_t)argument, other = 1 - me;
    wants[me] = 1;
    turn = other;
    while (wants[other] && turn == other) {
    }
    shared++;
    wants[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)0);
    pthread_create(&b, NULL, worker, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
