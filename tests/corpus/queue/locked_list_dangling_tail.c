// The same without the line that sets the tail back when the list gets empty: the producer writes its link into a node
// that was freed.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *first, **last = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *produce(void *unused) {
    for (int i = 1; i <= 2; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = i;
        fresh->next = NULL;
        pthread_mutex_lock(&lock);
        *last = fresh;
        last = &fresh->next;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void take(void) {
    pthread_mutex_lock(&lock);
    struct node *node = first;
    if (node)
        first = node->next;
    free(node);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    take();
    pthread_join(producer, NULL);
    take();
    take();
    return 0;
}
