// Treiber's stack: N threads push a node each by compare and exchange, and all of them are there afterwards.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

struct node {
    struct node *next;
};

static struct node nodes[N];
static struct node *_Atomic top;

static void *push(void *argument) {
    struct node *fresh = argument, *seen = top;
    do {
        fresh->next = seen;
    } while (!atomic_compare_exchange_strong(&top, &seen, fresh));
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, push, &nodes[i]);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    struct node *node = top;
    for (int i = 0; i < N; i++) {
        assert(node);
        node = node->next;
    }
    assert(!node);
    return 0;
}
