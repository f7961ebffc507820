// A program of fifty lines, as people write them: a queue between a producer and a consumer.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 8
#define ROOM 3

static int queue[ROOM];
static int count, head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void put(int item) {
    pthread_mutex_lock(&lock);
    while (count == ROOM)
        pthread_cond_wait(&changed, &lock);
    queue[tail] = item;
    tail = (tail + 1) % ROOM;
    count++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int get(void) {
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&changed, &lock);
    int item = queue[head];
    head = (head + 1) % ROOM;
    count--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *unused) {
    for (int i = 0; i < ITEMS; i++)
        put(i);
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < ITEMS; i++)
        assert(get() == i);
    pthread_join(producer, NULL);
    printf("%d items\n", ITEMS);
}
