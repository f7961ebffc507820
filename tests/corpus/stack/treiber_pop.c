// Treiber's stack: two threads pop a node each, never the same one. Nodes are not reused.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
};

static struct node nodes[2] = {{&nodes[1]}, {NULL}};
static struct node *_Atomic top = &nodes[0];
static struct node *popped[2];

static void *pop(void *argument) {
    struct node *seen = top;
    while (seen && !atomic_compare_exchange_strong(&top, &seen, seen->next)) {
    }
    *(struct node **)argument = seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pop, &popped[0]);
    pthread_create(&b, NULL, pop, &popped[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(popped[0] && popped[1] && popped[0] != popped[1]);
    return 0;
}
