// Indexer: N threads put messages into an open hash table; a place that is taken sends them on to the next one. Places
// are claimed by compare and exchange, so every message is there at the end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#define MESSAGES 2
#define SIZE 8

static atomic_int table[SIZE];

static void insert(int message) {
    for (int place = message * 7 % SIZE;; place = (place + 1) % SIZE) {
        int empty = 0;
        if (atomic_compare_exchange_strong(&table[place], &empty, message))
            return;
    }
}

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    for (int i = 0; i < MESSAGES; i++)
        insert(me + 4 * i + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    int used = 0;
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < SIZE; i++)
        used += table[i] != 0;
    assert(used == N * MESSAGES);
    return 0;
}
