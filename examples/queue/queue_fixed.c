// A bounded queue with one producer and two consumers. Whoever is woken looks again whether there is an item.
#include <assert.h>
#include <pthread.h>

enum { CAPACITY = 2, ITEMS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static int items[CAPACITY], first, count;

static void put(int item) {
    pthread_mutex_lock(&lock);
    while (count == CAPACITY)
        pthread_cond_wait(&not_full, &lock);
    items[(first + count) % CAPACITY] = item;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int take(void) {
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    assert(count > 0);
    int item = items[first];
    first = (first + 1) % CAPACITY;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *unused) {
    (void)unused;
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return NULL;
}

static void *consume(void *sum) {
    for (int i = 0; i < ITEMS / 2; i++)
        *(int *)sum += take();
    return NULL;
}

int main(void) {
    int left = 0, right = 0;
    pthread_t producer, a, b;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&a, NULL, consume, &left);
    pthread_create(&b, NULL, consume, &right);
    pthread_join(producer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(left + right == ITEMS * (ITEMS + 1) / 2);
    return 0;
}
