// check: --property assert,reach-error,lock
// The same list under a lock, and its nodes are freed in the end.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

static void *push(void *argument) {
    struct node *node = malloc(sizeof *node);
    node->value = *(int *)argument;
    pthread_mutex_lock(&lock);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&lock);
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
    while (head) {
        struct node *node = head;
        head = node->next;
        sum += node->value;
        free(node);
    }
    assert(sum == 3);
    return 0;
}
