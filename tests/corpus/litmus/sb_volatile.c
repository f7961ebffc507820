// Store buffering with volatile variables: volatile is for devices, not for threads, and the accesses race.
#include <pthread.h>

static volatile int x, y;
static int a, b;

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
