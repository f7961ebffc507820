// check: --property assert,reach-error,lock
// An object that can be reached through another one is written after that one was given away.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
static struct node *_Atomic shared;

static void *give(void *unused) {
    struct node *first = malloc(sizeof *first), *second = calloc(1, sizeof *second);
    first->value = 1;
    first->next = second;
    shared = first;
    second->value = 5;
    return unused;
}

static void *take(void *unused) {
    struct node *first = shared;
    if (first)
        assert(first->next->value == 5); //~ error[assert]
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, give, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
