// Wrong lock: one thread protects the counter by another lock than the N others.
#include <pthread.h>

#ifndef N
#define N 1
#endif

static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER, wrong = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *lock) {
    pthread_mutex_lock(lock);
    counter++;
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(void) {
    pthread_t threads[N], stranger;
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, count, &right);
    pthread_create(&stranger, NULL, count, &wrong);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    pthread_join(stranger, NULL);
    return 0;
}
