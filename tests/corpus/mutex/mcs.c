// The queue lock of Mellor-Crummey and Scott: each thread waits on a word of its own, and hands the lock to the one
// behind it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

struct node {
    struct node *_Atomic next;
    atomic_int waits;
};

static struct node *_Atomic tail;
static struct node nodes[N];
static int inside;

static void lock(struct node *mine) {
    mine->next = NULL;
    mine->waits = 1;
    struct node *before = atomic_exchange(&tail, mine);
    if (before) {
        before->next = mine;
        while (mine->waits) {
        }
    }
}

static void unlock(struct node *mine) {
    struct node *expected = mine;
    if (!mine->next && atomic_compare_exchange_strong(&tail, &expected, NULL))
        return;
    while (!mine->next) {
    }
    mine->next->waits = 0;
}

static void *worker(void *argument) {
    lock(argument);
    inside++;
    assert(inside == 1);
    inside--;
    unlock(argument);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, &nodes[i]);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
