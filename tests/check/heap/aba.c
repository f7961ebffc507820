// check: --property assert,reach-error,lock
// A lock-free stack that compares only the address of its top: the node comes back while a pop is under way, and with it
// a second one that was gone for good.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int is_out;
};
static struct node *_Atomic top;

static struct node *pop_once(void) {
    struct node *node = atomic_load(&top);
    if (node == NULL)
        return NULL;
    struct node *next = node->next;
    return atomic_compare_exchange_strong(&top, &node, next) ? node : NULL;
}

static void *pop_and_return(void *unused) {
    (void)unused;
    struct node *first = pop_once(), *second = pop_once();
    if (first && second) {
        second->is_out = 1;
        first->next = atomic_load(&top);
        atomic_store(&top, first);
    }
    return NULL;
}

static void *pop(void *unused) {
    (void)unused;
    pop_once();
    return NULL;
}

int main(void) {
    struct node *lower = calloc(1, sizeof *lower), *upper = calloc(1, sizeof *upper);
    upper->next = lower;
    atomic_store(&top, upper);
    pthread_t a, b;
    pthread_create(&a, NULL, pop, NULL);
    pthread_create(&b, NULL, pop_and_return, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct node *left = atomic_load(&top);
    assert(left == NULL || !left->is_out); //~ error[assert]
    return 0;
}
