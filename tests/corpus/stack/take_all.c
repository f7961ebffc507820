// A stack that is only ever taken as a whole: exchange with null gives the taker everything that was pushed, and nobody
// else can reach it, so that it may be freed. Neither ABA nor freed nodes are a problem.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic top;

static void *push(void *argument) {
    struct node *fresh = malloc(sizeof *fresh), *seen = top;
    fresh->value = *(int *)argument;
    do {
        fresh->next = seen;
    } while (!atomic_compare_exchange_strong(&top, &seen, fresh));
    return NULL;
}

static int take_all(void) {
    int sum = 0;
    struct node *node = atomic_exchange(&top, NULL);
    while (node) {
        struct node *next = node->next;
        sum += node->value;
        free(node);
        node = next;
    }
    return sum;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, push, &one);
    pthread_create(&b, NULL, push, &two);
    int sum = take_all();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sum += take_all();
    assert(sum == 3);
    return 0;
}
