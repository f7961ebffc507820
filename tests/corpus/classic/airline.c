// Airline: N sellers look whether there is a seat and then sell it. With one seat left, more than one is sold.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#define SEATS (N - 1)

static atomic_int sold;

static void *sell(void *unused) {
    if (sold < SEATS)
        sold++;
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, sell, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(sold <= SEATS);
    return 0;
}
