// A push that stores the new top without looking whether it is still what it was: the other thread's node is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
};

static struct node nodes[2];
static struct node *_Atomic top;

static void *push(void *argument) {
    struct node *fresh = argument;
    fresh->next = top;
    top = fresh;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, push, &nodes[0]);
    pthread_create(&b, NULL, push, &nodes[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct node *node = top;
    assert(node->next != NULL);
    return 0;
}
