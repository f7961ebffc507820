// Store buffering with plain variables: each flag is written by one thread and read by the other, with nothing to order
// them.
#include <pthread.h>

static int x, y, a, b;

static void *left(void *unused) {
    x = 1;
    a = y;
    return unused;
}

static void *right(void *unused) {
    y = 1;
    b = x;
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    return a + b;
}
