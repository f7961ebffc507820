// check: --property race
// Each half of the sum is read when the first thread has been joined, but not the second.
#include <pthread.h>

static int halves[2];

static void *sum(void *half) {
    *(int *)half = 5; //~ error[race]
    return half;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sum, &halves[0]);
    pthread_create(&b, NULL, sum, &halves[1]);
    pthread_join(a, NULL);
    int total = halves[0] + halves[1];
    pthread_join(b, NULL);
    return total != 10;
}
