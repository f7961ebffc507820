// The same with a plain store of the link: two threads that found the same last element overwrite each other's.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
};

static struct node dummy, items[2];
static struct node *_Atomic tail = &dummy;

static void *enqueue(void *argument) {
    struct node *fresh = argument, *last = tail;
    last->next = fresh;
    tail = fresh;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, enqueue, &items[0]);
    pthread_create(&b, NULL, enqueue, &items[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct node *first = dummy.next;
    assert(first && first->next);
    return 0;
}
