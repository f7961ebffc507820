// The same with a take that gives out the newest element: with two of them in the buffer the order is wrong.
#include <assert.h>
#include <pthread.h>

#define SIZE 2
#ifndef ITEMS
#define ITEMS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int buffer[SIZE], filled;

static void *produce(void *unused) {
    for (int value = 0, i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        if (filled < SIZE)
            buffer[filled++] = value++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (int expected = 0, i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        int value = filled > 0 ? buffer[--filled] : -1;
        pthread_mutex_unlock(&lock);
        if (value >= 0)
            assert(value == expected++);
    }
    pthread_join(producer, NULL);
    return 0;
}
