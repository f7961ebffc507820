// The same with a look and a store in two steps: two messages with the same place overwrite each other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define SIZE 4

static atomic_int table[SIZE];

static void *insert(void *argument) {
    int message = (intptr_t)argument, place = message % SIZE;
    while (table[place] != 0)
        place = (place + 1) % SIZE;
    table[place] = message;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int used = 0;
    pthread_create(&a, NULL, insert, (void *)1);
    pthread_create(&b, NULL, insert, (void *)5);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int i = 0; i < SIZE; i++)
        used += table[i] != 0;
    assert(used == 2);
    return 0;
}
