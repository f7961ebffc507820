// pthread_once: who comes second waits until the first is done.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made, value;

static void make(void) {
    made++;
    value = 42;
}

static void *user(void *unused) {
    pthread_once(&once, make);
    assert(made == 1 && value == 42);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, user, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
