// A queue with a lock for each end. A dummy node keeps the ends apart; only the link of the last node is seen by both
// sides, so it is atomic.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node dummy, items[2] = {{.value = 1}, {.value = 2}};
static struct node *head = &dummy, *tail = &dummy;
static pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;

static void *enqueue(void *argument) {
    struct node *fresh = argument;
    pthread_mutex_lock(&tail_lock);
    tail->next = fresh;
    tail = fresh;
    pthread_mutex_unlock(&tail_lock);
    return NULL;
}

static int dequeue(void) {
    int value = 0;
    pthread_mutex_lock(&head_lock);
    struct node *first = head->next;
    if (first) {
        value = first->value;
        head = first;
    }
    pthread_mutex_unlock(&head_lock);
    return value;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, enqueue, &items[0]);
    pthread_create(&b, NULL, enqueue, &items[1]);
    int early = dequeue();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int sum = early + dequeue() + dequeue();
    assert(sum == 3);
    return 0;
}
