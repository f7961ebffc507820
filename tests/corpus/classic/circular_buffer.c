// A circular buffer under a lock: what comes out came in, in the same order. A side that finds it full or empty skips
// its turn.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SIZE 2
#ifndef ITEMS
#define ITEMS 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int buffer[SIZE], begin, filled;

static bool insert(int value) {
    if (filled == SIZE)
        return false;
    buffer[(begin + filled) % SIZE] = value;
    filled++;
    return true;
}

static int take(void) {
    if (filled == 0)
        return -1;
    int value = buffer[begin];
    begin = (begin + 1) % SIZE;
    filled--;
    return value;
}

static void *produce(void *unused) {
    for (int value = 0, i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        if (insert(value))
            value++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (int expected = 0, i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        int value = take();
        pthread_mutex_unlock(&lock);
        if (value >= 0)
            assert(value == expected++);
    }
    pthread_join(producer, NULL);
    return 0;
}
