// Harris' list: a node is deleted by marking its own link first, in its lowest bit. An insertion behind it then fails,
// and begins again. What was inserted is in the list.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct node {
    atomic_uintptr_t next;
};

static struct node head, victim, fresh;

static void *delete(void *unused) {
    uintptr_t after = victim.next;
    while (!atomic_compare_exchange_strong(&victim.next, &after, after | 1)) {
    }
    uintptr_t expected = (uintptr_t)&victim;
    atomic_compare_exchange_strong(&head.next, &expected, after);
    return unused;
}

static void insert(void) {
    for (;;) {
        struct node *before = (struct node *)(uintptr_t)head.next;
        if (before == &victim) {
            uintptr_t after = victim.next;
            if (!(after & 1)) {
                fresh.next = after;
                if (atomic_compare_exchange_strong(&victim.next, &after, (uintptr_t)&fresh))
                    return;
            }
        } else {
            uintptr_t first = (uintptr_t)before;
            fresh.next = first;
            if (atomic_compare_exchange_strong(&head.next, &first, (uintptr_t)&fresh))
                return;
        }
    }
}

int main(void) {
    pthread_t thread;
    head.next = (uintptr_t)&victim;
    pthread_create(&thread, NULL, delete, NULL);
    insert();
    pthread_join(thread, NULL);
    assert(head.next == (uintptr_t)&fresh);
    return 0;
}
