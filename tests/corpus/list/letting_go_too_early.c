// The same with the old lock given back before the new one is taken: the place may have changed in between, and a node
// gets lost. The links are atomic, so that nothing races.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    pthread_mutex_t lock;
    int key;
    struct node *_Atomic next;
};

static struct node end = {PTHREAD_MUTEX_INITIALIZER, 99, NULL}, head = {PTHREAD_MUTEX_INITIALIZER, 0, &end};
static struct node items[2] = {{PTHREAD_MUTEX_INITIALIZER, 5, NULL}, {PTHREAD_MUTEX_INITIALIZER, 3, NULL}};

static void *insert(void *argument) {
    struct node *fresh = argument, *before = &head, *after = before->next;
    while (after->key < fresh->key) {
        before = after;
        after = after->next;
    }
    pthread_mutex_lock(&before->lock);
    fresh->next = after;
    before->next = fresh;
    pthread_mutex_unlock(&before->lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, insert, &items[0]);
    pthread_create(&b, NULL, insert, &items[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(head.next == &items[1] && items[1].next == &items[0]);
    return 0;
}
