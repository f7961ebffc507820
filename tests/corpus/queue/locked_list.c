// A queue as a linked list from the heap, all of it under one lock. The consumer frees what it takes, and nothing is
// left.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef ITEMS
#define ITEMS 2
#endif

struct node {
    int value;
    struct node *next;
};

static struct node *first, **last = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *produce(void *unused) {
    for (int i = 1; i <= ITEMS; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = i;
        fresh->next = NULL;
        pthread_mutex_lock(&lock);
        *last = fresh;
        last = &fresh->next;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static int take(void) {
    pthread_mutex_lock(&lock);
    struct node *node = first;
    if (node) {
        first = node->next;
        if (!first)
            last = &first;
    }
    pthread_mutex_unlock(&lock);
    int value = node ? node->value : 0;
    free(node);
    return value;
}

int main(void) {
    pthread_t producer;
    int before = 0, value;
    pthread_create(&producer, NULL, produce, NULL);
    value = take();
    assert(value <= 1);
    before += value;
    pthread_join(producer, NULL);
    while ((value = take()) != 0) {
        assert(value == before + 1);
        before = value;
    }
    assert(before == ITEMS);
    return 0;
}
