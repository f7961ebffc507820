/* Each thread publishes a node of its own with a lock in it, and adds to the node that was published last. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t lock;
    int count;
    struct node *next;
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;

static void *work(void *unused)
{
    struct node *own = malloc(sizeof *own);
    pthread_mutex_init(&own->lock, 0);
    own->count = 0;
    pthread_mutex_lock(&list_lock);
    struct node *last = list;
    own->next = list;
    list = own;
    pthread_mutex_unlock(&list_lock);
    pthread_mutex_lock(&own->lock);
    own->count++;
    pthread_mutex_unlock(&own->lock);
    if (last) {
        pthread_mutex_lock(&last->lock);
#ifdef BUG
        assert(last->count == 1);
#endif
        last->count++;
        pthread_mutex_unlock(&last->lock);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    int sum = 0;
    while (list) {
        struct node *node = list;
        list = node->next;
        sum += node->count;
        free(node);
    }
    assert(sum == 5);
    return 0;
}
