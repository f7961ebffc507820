// Peterson's algorithm with its first two lines swapped: both may set the turn before either says that it wants to
// enter.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn, inside;

static void *worker(void *argument) {
    int me = (intptr_t)argument, other = 1 - me;
    turn = other;
    wants[me] = 1;
    while (wants[other] && turn == other) {
    }
    assert(inside++ == 0);
    inside--;
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
