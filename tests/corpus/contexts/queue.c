// Queue: a producer puts N numbers, which are inputs, into a queue and says that they are there; a consumer takes them if
// so, and compares. The assertions hold, since the producer keeps the lock for all of them. With -DMISTAKE it gives the lock
// back after each, and the first assertion fails: the consumer can find the queue empty in the middle. Nothing races.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <threadproof.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numbers[N], queue[N], head, tail;
static bool is_there;

static void *produce(void *unused) {
    pthread_mutex_lock(&lock);
    is_there = true;
    for (int i = 0; i < N; i++) {
        queue[tail++] = numbers[i];
#ifdef MISTAKE
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
#endif
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *consume(void *unused) {
    pthread_mutex_lock(&lock);
    for (int i = 0; is_there && i < N; i++) {
        assert(head < tail);
        assert(queue[head++] == numbers[i]);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t producer, consumer;
    for (int i = 0; i < N; i++)
        numbers[i] = tp_input_int("number");
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    return 0;
}
