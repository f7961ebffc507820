// run: --runs 50 --seed 1
// A list node is changed after it was linked into a list that another thread walks.
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sum(void *unused) {
    (void)unused;
    int total = 0;
    pthread_mutex_lock(&lock);
    for (struct node *node = head; node; node = node->next)
        total += node->value; //~ error[race]
    pthread_mutex_unlock(&lock);
    return (void *)(size_t)total;
}

int main(void) {
    struct node *node = malloc(sizeof *node);
    pthread_t thread;
    node->value = 1;
    node->next = NULL;
    pthread_create(&thread, NULL, sum, NULL);
    pthread_mutex_lock(&lock);
    head = node;
    pthread_mutex_unlock(&lock);
    node->value = 2;
    pthread_join(thread, NULL);
    free(node);
    return 0;
}
