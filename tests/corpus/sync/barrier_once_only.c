// Two phases that read and then write, with a barrier before the reading and none after it.
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int cell[2];

static void *work(void *argument) {
    int me = (intptr_t)argument;
    cell[me] = 1;
    pthread_barrier_wait(&barrier);
    int next = cell[1 - me] + 1;
    cell[me] = next;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
