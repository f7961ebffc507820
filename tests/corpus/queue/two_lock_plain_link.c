// A queue with a lock for each end and a plain link: when the queue is empty both ends meet at the dummy node, one
// writes its link and the other reads it, under different locks.
#include <pthread.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

static struct node dummy, item = {.value = 1};
static struct node *head = &dummy, *tail = &dummy;
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;

static void *enqueue(void *argument) {
    pthread_mutex_lock(&tail_lock);
    tail->next = argument;
    tail = argument;
    pthread_mutex_unlock(&tail_lock);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, enqueue, &item);
    pthread_mutex_lock(&head_lock);
    if (head->next)
        head = head->next;
    pthread_mutex_unlock(&head_lock);
    pthread_join(a, NULL);
    return 0;
}
