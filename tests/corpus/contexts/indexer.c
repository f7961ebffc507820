// Indexer: THREADS threads put MESSAGES messages each into a hash table of SIZE places with a lock each; a place that is
// taken sends a message on to the next one. The assertions hold: the table is large enough, and no message gets lost.
// Nothing races.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef MESSAGES
#define MESSAGES 1
#endif
#ifndef SIZE
#define SIZE 2
#endif

_Static_assert(THREADS * MESSAGES <= SIZE, "there is a place for each message");

static pthread_mutex_t locks[SIZE];
static int table[SIZE], names[THREADS];

static void insert(int message) {
    for (int i = 0; i < SIZE; i++) {
        int place = (message * 7 + i) % SIZE;
        pthread_mutex_lock(&locks[place]);
        int was = table[place];
        if (was == 0)
            table[place] = message;
        pthread_mutex_unlock(&locks[place]);
        if (was == 0)
            return;
    }
    assert(0 && "the table is full");
}

static void *put(void *argument) {
    int me = *(int *)argument;
    for (int i = 1; i <= MESSAGES; i++)
        insert(i * 11 + me * 2);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int found = 0;
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&locks[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        names[i] = i;
        pthread_create(&threads[i], NULL, put, &names[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < SIZE; i++)
        found += table[i] != 0;
    assert(found == THREADS * MESSAGES);
    return 0;
}
