// run: --runs 50 --seed 1
// A lock-free stack's push with compare-exchange: no node gets lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
};
static _Atomic(struct node *) top;

static void *push(void *argument) {
    struct node *node = argument;
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do {
        node->next = old;
    } while (!atomic_compare_exchange_weak_explicit(&top, &old, node, memory_order_release, memory_order_relaxed));
    return NULL;
}

int main(void) {
    struct node x, y;
    pthread_t a, b;
    pthread_create(&a, NULL, push, &x);
    pthread_create(&b, NULL, push, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int length = 0;
    for (struct node *node = top; node; node = node->next)
        length++;
    assert(length == 2);
    return 0;
}
