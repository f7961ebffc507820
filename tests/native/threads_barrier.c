// A parallel prefix sum: rounds separated by a barrier.
#include <pthread.h>
#include <stdio.h>

enum { N = 8 };
static int cells[N] = {3, 1, 4, 1, 5, 9, 2, 6}, next[N], serials[N];
static pthread_barrier_t barrier;

static void *work(void *argument) {
    int self = *(int *)argument;
    for (int distance = 1; distance < N; distance *= 2) {
        next[self] = cells[self] + (self >= distance ? cells[self - distance] : 0);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            serials[self]++;
        cells[self] = next[self];
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    int numbers[N], rounds = 0;
    pthread_barrier_init(&barrier, NULL, N);
    for (int i = 0; i < N; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        rounds += serials[i];
    }
    for (int i = 0; i < N; i++)
        printf("%d ", cells[i]);
    printf("in %d rounds\n", rounds);
    pthread_barrier_destroy(&barrier);
    return 0;
}
