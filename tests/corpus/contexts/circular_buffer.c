// Circular buffer: a thread inserts ITEMS numbers and another takes as many, each under the lock; who finds the buffer
// full, or empty, leaves out a turn. The assertion holds: the numbers come out in order. With -DMISTAKE insertion does not
// look whether the buffer is full, and the assertion fails: the oldest number is overwritten. Nothing races.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef ITEMS
#define ITEMS 3
#endif
#ifndef SIZE
#define SIZE 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int buffer[SIZE], next_in, next_out, filled;

static bool insert(int number) {
#ifndef MISTAKE
    if (filled == SIZE)
        return false;
#endif
    buffer[next_in] = number;
    next_in = (next_in + 1) % SIZE;
    filled++;
    return true;
}

static bool take(int *number) {
    if (filled == 0)
        return false;
    *number = buffer[next_out];
    next_out = (next_out + 1) % SIZE;
    filled--;
    return true;
}

static void *send(void *unused) {
    int number = 0;
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        if (insert(number))
            number++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *receive(void *unused) {
    int expected = 0;
    for (int i = 0; i < ITEMS; i++) {
        int number;
        pthread_mutex_lock(&lock);
        if (take(&number)) {
            assert(number == expected);
            expected++;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t sender, receiver;
    pthread_create(&sender, NULL, send, NULL);
    pthread_create(&receiver, NULL, receive, NULL);
    pthread_join(sender, NULL);
    pthread_join(receiver, NULL);
    return 0;
}
