// check: --property memory
// The same with a distance that another thread has left in memory.
#include <pthread.h>

static int a, b;
static long distance;

static void *measure(void *unused) {
    distance = (char *)&b - (char *)&a;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, measure, 0);
    pthread_join(t, 0);
    *(int *)((char *)&a + distance) = 1; //~ error[memory]
    return b;
}
