// A latch: a thread waits until two others are done.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int missing = 2, result[2];

static void *work(void *argument) {
    *(int *)argument = 1;
    pthread_mutex_lock(&lock);
    if (--missing == 0)
        pthread_cond_signal(&done);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, &result[0]);
    pthread_create(&b, NULL, work, &result[1]);
    pthread_mutex_lock(&lock);
    while (missing)
        pthread_cond_wait(&done, &lock);
    pthread_mutex_unlock(&lock);
    assert(result[0] + result[1] == 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
