// The queue of Michael and Scott, the other end: two threads take one element each, and never the same one. Elements
// are not reused, so an old pointer does no harm.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node nodes[3] = {{0, &nodes[1]}, {1, &nodes[2]}, {2, NULL}};
static struct node *_Atomic head = &nodes[0];
static int taken[2];

static void *dequeue(void *argument) {
    for (;;) {
        struct node *dummy = head, *first = dummy->next;
        if (!first)
            return NULL;
        if (atomic_compare_exchange_strong(&head, &dummy, first)) {
            *(int *)argument = first->value;
            return NULL;
        }
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, dequeue, &taken[0]);
    pthread_create(&b, NULL, dequeue, &taken[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(taken[0] + taken[1] == 3);
    return 0;
}
