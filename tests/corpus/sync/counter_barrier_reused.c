// A barrier that only counts works once: the second time the count is high enough already, and nobody waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int arrived, cell[2];

static void barrier(void) {
    arrived++;
    while (arrived < 2) {
    }
}

static void *work(void *argument) {
    int me = (intptr_t)argument;
    for (int phase = 1; phase <= 2; phase++) {
        cell[me] = phase;
        barrier();
        assert(cell[1 - me] >= phase);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
