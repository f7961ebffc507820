// The same without the mark: a node is inserted behind one that is just being cut out, and is lost with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
};

static struct node head, victim, fresh;

static void *delete(void *unused) {
    struct node *expected = &victim, *after = victim.next;
    atomic_compare_exchange_strong(&head.next, &expected, after);
    return unused;
}

static void insert(void) {
    struct node *before = head.next == &victim ? &victim : &head, *after = before->next;
    do {
        fresh.next = after;
    } while (!atomic_compare_exchange_strong(&before->next, &after, &fresh));
}

int main(void) {
    pthread_t thread;
    head.next = &victim;
    pthread_create(&thread, NULL, delete, NULL);
    insert();
    pthread_join(thread, NULL);
    assert(head.next == &fresh);
    return 0;
}
