// check: --property invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free
// One thread looks into a node that the other one has taken off the list and freed.
#include <pthread.h>
#include <stdlib.h>

struct node { struct node *next; int value; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

static void *pop(void *unused) {
    pthread_mutex_lock(&lock);
    struct node *first = head;
    if (first)
        head = first->next;
    pthread_mutex_unlock(&lock);
    free(first);
    return unused;
}

static void *peek(void *unused) {
    pthread_mutex_lock(&lock);
    struct node *first = head;
    pthread_mutex_unlock(&lock);
    return first && first->value ? unused : NULL; //~ error[memory]
}

int main(void) {
    head = calloc(1, sizeof *head);
    pthread_t s, t;
    pthread_create(&s, NULL, pop, NULL);
    pthread_create(&t, NULL, peek, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    free(head);
    return 0;
}
