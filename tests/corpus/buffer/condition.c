// A bounded buffer with condition variables: who is woken looks again, in a loop.
#include <assert.h>
#include <pthread.h>

#define SIZE 1

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused) {
    pthread_mutex_lock(&lock);
    while (count == SIZE)
        pthread_cond_wait(&not_full, &lock);
    count++;
    assert(count <= SIZE);
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void consume(void) {
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&not_empty, &lock);
    count--;
    assert(count >= 0);
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, produce, NULL);
    pthread_create(&b, NULL, produce, NULL);
    consume();
    consume();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 0);
    return 0;
}
