// Two stages: WRITERS threads set the first value under its lock, and then the second, which has to be one more, under
// another lock. READERS threads look at them in the same two stages. No access races and nobody waits for ever, but the
// assertion fails: a reader can overtake a writer between its stages.
#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef READERS
#define READERS 1
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *write_both(void *unused) {
    pthread_mutex_lock(&first_lock);
    int mine = first = 1;
    pthread_mutex_unlock(&first_lock);

    pthread_mutex_lock(&second_lock);
    second = mine + 1;
    pthread_mutex_unlock(&second_lock);
    return unused;
}

static void *read_both(void *unused) {
    pthread_mutex_lock(&first_lock);
    int base = first;
    pthread_mutex_unlock(&first_lock);
    if (base == 0)
        return unused;

    pthread_mutex_lock(&second_lock);
    int derived = second;
    pthread_mutex_unlock(&second_lock);
    assert(derived == base + 1);
    return unused;
}

int main(void) {
    pthread_t writers[WRITERS], readers[READERS];
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], NULL, write_both, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, read_both, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    return 0;
}
