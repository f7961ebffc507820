// The repair: one critical section for the question and the taking.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *first;
static int taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *consume(void *unused) {
    pthread_mutex_lock(&lock);
    struct node *node = first;
    if (node) {
        first = node->next;
        taken++;
    }
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
    assert(taken == 1 && !first);
    return 0;
}
