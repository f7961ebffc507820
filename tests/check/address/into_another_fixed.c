// check: --property memory
// Between two elements of an array there is.
#include <pthread.h>

static int a[8];
static long distance;

static void *measure(void *unused) {
    distance = (char *)&a[5] - (char *)&a[1];
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, measure, 0);
    pthread_join(t, 0);
    *(int *)((char *)&a[1] + distance) = 1;
    return a[5];
}
