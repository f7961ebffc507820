// run: --runs 100 --seed 1
// Peterson's mutual exclusion over plain variables: the protocol's own variables race.
#include <assert.h>
#include <pthread.h>

static int wants[2], turn;
static int counter;

static void *enter(void *argument) {
    int self = *(int *)argument, other = 1 - self;
    wants[self] = 1; //~ error[race]
    turn = other;
    while (wants[other] && turn == other) {
    }
    counter++;
    wants[self] = 0;
    return NULL;
}

int main(void) {
    int zero = 0, one = 1;
    pthread_t a, b;
    pthread_create(&a, NULL, enter, &zero);
    pthread_create(&b, NULL, enter, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
