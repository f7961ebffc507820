// check: --property assert,reach-error,lock
// Two threads push to a list without a lock: one node gets lost.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static struct node *head;

static void *push(void *argument) {
    struct node *node = malloc(sizeof *node);
    node->value = *(int *)argument;
    node->next = head;
    head = node;
    return NULL;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, push, &one);
    pthread_create(&b, NULL, push, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int sum = 0;
    for (struct node *node = head; node; node = node->next)
        sum += node->value;
    assert(sum == 3); //~ error[assert]
    return 0;
}
