// Whether there is something is asked in one critical section, and it is taken in another: in between another consumer
// may have taken it, and the pointer is null.
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_empty(void) {
    pthread_mutex_lock(&lock);
    int empty = !first;
    pthread_mutex_unlock(&lock);
    return empty;
}

static void *consume(void *unused) {
    if (is_empty())
        return unused;
    pthread_mutex_lock(&lock);
    struct node *node = first;
    first = node->next;
    pthread_mutex_unlock(&lock);
    free(node);
    return unused;
}

int main(void) {
    pthread_t a, b;
    first = malloc(sizeof *first);
    first->next = NULL;
    pthread_create(&a, NULL, consume, NULL);
    pthread_create(&b, NULL, consume, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
