// The main thread reads the result without waiting for it.
#include <pthread.h>

static int result;

static void *compute(void *unused) {
    result = 42;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    int seen = result;
    pthread_join(thread, NULL);
    return seen == 3;
}
