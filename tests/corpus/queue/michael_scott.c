// The queue of Michael and Scott: an element is linked behind the last one by compare and exchange; who finds the tail
// lagging behind moves it on. Two threads append, and nothing is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node dummy, items[2] = {{.value = 1}, {.value = 2}};
static struct node *_Atomic tail = &dummy;

static void *enqueue(void *argument) {
    struct node *fresh = argument;
    for (;;) {
        struct node *last = tail, *next = last->next;
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, fresh)) {
            atomic_compare_exchange_strong(&tail, &last, fresh);
            return NULL;
        }
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, enqueue, &items[0]);
    pthread_create(&b, NULL, enqueue, &items[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct node *first = dummy.next;
    assert(first && first->next && first->value + first->next->value == 3);
    return 0;
}
