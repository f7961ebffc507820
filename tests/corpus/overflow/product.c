// N threads multiply by a thousand: three times is just below the largest int, four times is not.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int product = 1;

static void *multiply(void *unused) {
    pthread_mutex_lock(&lock);
    product *= 1000;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, multiply, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(product != 0);
    return 0;
}
