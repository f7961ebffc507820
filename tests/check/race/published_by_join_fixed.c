// check: --property race
// Each half of the sum is read when both threads have been joined: a join publishes all that a thread did.
#include <pthread.h>

static int halves[2];

static void *sum(void *half) {
    *(int *)half = 5;
    return half;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sum, &halves[0]);
    pthread_create(&b, NULL, sum, &halves[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int total = halves[0] + halves[1];
    return total != 10;
}
