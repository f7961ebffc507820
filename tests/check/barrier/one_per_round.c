// check: --property assert,reach-error,lock
// With one barrier a round, the fast thread writes the next round's part while the slow one still reads.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int part[2];

static void *work(void *argument) {
    int me = *(int *)argument;
    for (int round = 1; round <= 2; round++) {
        part[me] = round * (me + 1);
        pthread_barrier_wait(&barrier);
        assert(part[1 - me] == round * (2 - me)); //~ error[assert]
    }
    return NULL;
}

int main(void) {
    static int zero = 0, one = 1;
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, work, &zero);
    pthread_create(&b, NULL, work, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
