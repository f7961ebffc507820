// A sorted list with a lock in each node, walked hand over hand: the lock of the next node is taken before the last one
// is given back. Two threads insert at the same place, and both nodes are there.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct node {
    pthread_mutex_t lock;
    int key;
    struct node *next;
};

static struct node end = {PTHREAD_MUTEX_INITIALIZER, 99, NULL}, head = {PTHREAD_MUTEX_INITIALIZER, 0, &end};
static struct node items[2] = {{PTHREAD_MUTEX_INITIALIZER, 5, NULL}, {PTHREAD_MUTEX_INITIALIZER, 3, NULL}};

static void *insert(void *argument) {
    struct node *fresh = argument, *before = &head;
    pthread_mutex_lock(&before->lock);
    struct node *after = before->next;
    pthread_mutex_lock(&after->lock);
    while (after->key < fresh->key) {
        pthread_mutex_unlock(&before->lock);
        before = after;
        after = after->next;
        pthread_mutex_lock(&after->lock);
    }
    fresh->next = after;
    before->next = fresh;
    pthread_mutex_unlock(&after->lock);
    pthread_mutex_unlock(&before->lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, insert, &items[0]);
    pthread_create(&b, NULL, insert, &items[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(head.next == &items[1] && items[1].next == &items[0] && items[0].next == &end);
    return 0;
}
