// A list that is walked without locks: when the place is found it is locked and looked at again, and the search begins
// anew if it has changed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int key;
    struct node *_Atomic next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node end = {99, NULL}, head = {0, &end}, items[2] = {{5, NULL}, {3, NULL}};

static void *insert(void *argument) {
    struct node *fresh = argument;
    for (;;) {
        struct node *before = &head, *after = before->next;
        while (after->key < fresh->key) {
            before = after;
            after = after->next;
        }
        pthread_mutex_lock(&lock);
        if (before->next == after) {
            fresh->next = after;
            before->next = fresh;
            pthread_mutex_unlock(&lock);
            return NULL;
        }
        pthread_mutex_unlock(&lock);
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, insert, &items[0]);
    pthread_create(&b, NULL, insert, &items[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(head.next == &items[1] && items[1].next == &items[0] && items[0].next == &end);
    return 0;
}
