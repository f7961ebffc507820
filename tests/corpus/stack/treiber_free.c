// Treiber's stack with nodes that are freed when they are popped: another thread may be about to read the link of one.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *_Atomic next;
};

static struct node *_Atomic top;

static void *pop(void *unused) {
    struct node *seen = top;
    while (seen) {
        struct node *next = seen->next;
        if (atomic_compare_exchange_strong(&top, &seen, next))
            break;
    }
    free(seen);
    return unused;
}

static void push(void) {
    struct node *fresh = malloc(sizeof *fresh);
    atomic_init(&fresh->next, top);
    top = fresh;
}

int main(void) {
    pthread_t a, b;
    push();
    push();
    pthread_create(&a, NULL, pop, NULL);
    pthread_create(&b, NULL, pop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
