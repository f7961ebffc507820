// Treiber's stack with nodes that are reused: while one thread is about to replace the first node by the second, the
// other pops both and pushes the first again. The compare succeeds, and the second node is on the stack and in use.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
    atomic_int in_use;
};

static struct node nodes[2] = {{&nodes[1], 0}, {NULL, 0}};
static struct node *_Atomic top = &nodes[0];

static struct node *pop(void) {
    struct node *seen = top;
    while (seen) {
        struct node *next = seen->next;
        if (atomic_compare_exchange_strong(&top, &seen, next)) {
            assert(atomic_exchange(&seen->in_use, 1) == 0);
            return seen;
        }
    }
    return NULL;
}

static void push(struct node *node) {
    struct node *seen = top;
    node->in_use = 0;
    do {
        node->next = seen;
    } while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static void *juggle(void *unused) {
    struct node *first = pop();
    pop();
    if (first)
        push(first);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, juggle, NULL);
    pop();
    pop();
    pthread_join(thread, NULL);
    return 0;
}
