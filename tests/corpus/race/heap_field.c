// Two threads reach the same object on the heap through different pointers.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *self;
};

static void *direct(void *argument) {
    ((struct node *)argument)->value = 1;
    return NULL;
}

static void *around(void *argument) {
    ((struct node *)argument)->self->value = 2;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct node *node = malloc(sizeof *node);
    node->self = node;
    pthread_create(&a, NULL, direct, node);
    pthread_create(&b, NULL, around, node);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(node);
    return 0;
}
