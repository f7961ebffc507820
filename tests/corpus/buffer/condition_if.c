// `if` instead of `while` around the wait: a consumer that was woken may come second to one that never waited, and
// takes from an empty buffer.
#include <assert.h>
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void *consume(void *unused) {
    pthread_mutex_lock(&lock);
    if (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    count--;
    assert(count >= 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void produce(void) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, consume, NULL);
    pthread_create(&b, NULL, consume, NULL);
    produce();
    produce();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
