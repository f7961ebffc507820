// The main thread waits for the wrong one of two.
#include <pthread.h>

static int left, right;

static void *set_left(void *unused) {
    left = 1;
    return unused;
}

static void *set_right(void *unused) {
    right = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set_left, NULL);
    pthread_create(&b, NULL, set_right, NULL);
    pthread_join(a, NULL);
    int seen = right;
    pthread_join(b, NULL);
    return seen == 3;
}
