// The queue of Michael and Scott with the old first node freed at once: another thread may still hold it, and follow
// its link.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *_Atomic next;
};

static struct node *_Atomic head;

static struct node *node_before(struct node *next) {
    struct node *fresh = malloc(sizeof *fresh);
    atomic_init(&fresh->next, next);
    return fresh;
}

static void *dequeue(void *unused) {
    for (;;) {
        struct node *dummy = head, *first = dummy->next;
        if (!first)
            return unused;
        if (atomic_compare_exchange_strong(&head, &dummy, first)) {
            free(dummy);
            return unused;
        }
    }
}

int main(void) {
    pthread_t a, b;
    head = node_before(node_before(node_before(NULL)));
    pthread_create(&a, NULL, dequeue, NULL);
    pthread_create(&b, NULL, dequeue, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(head);
    return 0;
}
