// The queue lock with a tail that is read and written in two steps: two threads both find the queue empty. One may also
// be left in the queue for ever, so main does not wait for them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
    atomic_int waits;
};

static struct node *_Atomic tail;
static struct node nodes[2];
static atomic_int inside;

static void lock(struct node *mine) {
    mine->waits = 1;
    struct node *before = tail;
    tail = mine;
    if (before) {
        before->next = mine;
        while (mine->waits) {
        }
    }
}

static void unlock(struct node *mine) {
    struct node *expected = mine;
    if (atomic_compare_exchange_strong(&tail, &expected, NULL))
        return;
    if (mine->next)
        mine->next->waits = 0;
}

static void *worker(void *argument) {
    lock(argument);
    assert(inside++ == 0);
    inside--;
    unlock(argument);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &nodes[i]);
    return 0;
}
