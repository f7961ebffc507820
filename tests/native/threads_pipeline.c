// A pipeline of three threads with bounded queues: what comes out is in order, whoever runs when.
#include <pthread.h>
#include <stdio.h>

enum { CAPACITY = 3, ITEMS = 20, END = -1 };

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int items[CAPACITY], first, count;
};

static struct queue queues[2];

static void initialise(struct queue *q) {
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->not_empty, NULL);
    pthread_cond_init(&q->not_full, NULL);
}

static void destroy(struct queue *q) {
    pthread_cond_destroy(&q->not_full);
    pthread_cond_destroy(&q->not_empty);
    pthread_mutex_destroy(&q->lock);
}

static void put(struct queue *q, int item) {
    pthread_mutex_lock(&q->lock);
    while (q->count == CAPACITY)
        pthread_cond_wait(&q->not_full, &q->lock);
    q->items[(q->first + q->count++) % CAPACITY] = item;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static int get(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    while (q->count == 0)
        pthread_cond_wait(&q->not_empty, &q->lock);
    int item = q->items[q->first];
    q->first = (q->first + 1) % CAPACITY;
    q->count--;
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    return item;
}

static void *generate(void *unused) {
    (void)unused;
    for (int i = 1; i <= ITEMS; i++)
        put(&queues[0], i);
    put(&queues[0], END);
    return NULL;
}

static void *transform(void *unused) {
    int item;
    (void)unused;
    while ((item = get(&queues[0])) != END)
        if (item % 3)
            put(&queues[1], item * item);
    put(&queues[1], END);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int item, sum = 0;
    initialise(&queues[0]);
    initialise(&queues[1]);
    pthread_create(&a, NULL, generate, NULL);
    pthread_create(&b, NULL, transform, NULL);
    while ((item = get(&queues[1])) != END) {
        printf("%d ", item);
        sum += item;
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("= %d\n", sum);
    destroy(&queues[0]);
    destroy(&queues[1]);
    return 0;
}
