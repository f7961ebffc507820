// check: --property assert
// The head of the stack is stored without a look whether it has changed: a node is lost.
#include <assert.h>
#include <pthread.h>

struct node {
    struct node *next;
    int value;
};

static struct node *volatile head;
static struct node nodes[2] = { { 0, 1 }, { 0, 2 } };

static unsigned char compare_and_set(struct node *volatile *at, struct node *old, struct node *new) {
    (void)old;
    __asm__ __volatile__("mov %1, %0" : "=m"(*at) : "r"(new) : "memory");
    return 1;
}

static struct node *read_head(void) {
    struct node *now;
    __asm__ __volatile__("mov %1, %0" : "=r"(now) : "m"(head) : "memory");
    return now;
}

static void *push(void *node) {
    struct node *new = node;
    do
        new->next = read_head();
    while (!compare_and_set(&head, new->next, new));
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, push, &nodes[0]);
    pthread_create(&b, NULL, push, &nodes[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(head && head->next && head->value + head->next->value == 3); //~ error[assert]
    return 0;
}
