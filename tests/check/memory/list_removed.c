// check: --property valid-memsafety
// A list whose nodes have locks. The node is taken out under the lock of the one before it and freed, while a walk stands
// on it with its own lock.
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t lock;
    struct node *next;
};

static struct node first = {PTHREAD_MUTEX_INITIALIZER, NULL};

static void *walk(void *unused) {
    pthread_mutex_lock(&first.lock);
    struct node *n = first.next;
    if (n)
        pthread_mutex_lock(&n->lock);
    pthread_mutex_unlock(&first.lock);
    if (n)
        pthread_mutex_unlock(&n->lock); //~ error[memory]
    return unused;
}

int main(void) {
    pthread_t thread;
    struct node *second = malloc(sizeof *second);
    pthread_mutex_init(&second->lock, NULL);
    second->next = NULL;
    first.next = second;
    pthread_create(&thread, NULL, walk, NULL);
    pthread_mutex_lock(&first.lock);
    first.next = second->next;
    pthread_mutex_unlock(&first.lock);
    free(second);
    pthread_join(thread, NULL);
    return 0;
}
