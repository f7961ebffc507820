// Airline with a lock around looking and selling.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif
#define SEATS (N - 1)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sold;

static void *sell(void *unused) {
    pthread_mutex_lock(&lock);
    if (sold < SEATS)
        sold++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, sell, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(sold == SEATS);
    return 0;
}
