// run: --runs 200 --seed 1
// Two consumers wait with `if`: one is woken, and the other has already taken the item.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t available = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_cond_wait(&available, &lock);
    assert(items > 0); //~ error[assert]
    items--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *produce(void *unused) {
    (void)unused;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_broadcast(&available);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, consume, NULL);
    pthread_create(&b, NULL, consume, NULL);
    pthread_create(&c, NULL, produce, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
