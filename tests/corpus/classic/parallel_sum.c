// N threads add up a slice each, in a place of their own.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif
#define SLICE 2

static int cell[N * SLICE];
static struct part {
    int *first, sum;
} parts[N];

static void *add(void *argument) {
    struct part *part = argument;
    for (int i = 0; i < SLICE; i++)
        part->sum += part->first[i];
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    int sum = 0;
    for (int i = 0; i < N * SLICE; i++)
        cell[i] = i;
    for (int i = 0; i < N; i++) {
        parts[i].first = &cell[i * SLICE];
        pthread_create(&threads[i], NULL, add, &parts[i]);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        sum += parts[i].sum;
    }
    assert(sum == N * SLICE * (N * SLICE - 1) / 2);
    return 0;
}
