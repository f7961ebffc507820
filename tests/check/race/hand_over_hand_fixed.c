// check: --property race
// A list whose nodes each have a lock. The walk takes the lock of the next node before it gives back its own.
#include <pthread.h>

struct node {
    pthread_mutex_t lock;
    int value;
    struct node *next;
};

static struct node last = {PTHREAD_MUTEX_INITIALIZER, 2, NULL};
static struct node first = {PTHREAD_MUTEX_INITIALIZER, 1, &last};
static struct node added = {PTHREAD_MUTEX_INITIALIZER, 3, NULL};

static void *walk(void *unused) {
    struct node *n = &first;
    pthread_mutex_lock(&n->lock);
    while (n->next) {
        struct node *next = n->next;
        pthread_mutex_lock(&next->lock);
        pthread_mutex_unlock(&n->lock);
        n = next;
    }
    pthread_mutex_unlock(&n->lock);
    return unused;
}

static void *insert(void *unused) {
    pthread_mutex_lock(&first.lock);
    added.next = first.next;
    first.next = &added;
    pthread_mutex_unlock(&first.lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, walk, NULL);
    pthread_create(&b, NULL, insert, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
