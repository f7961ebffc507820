// run: --runs 200 --seed 1
// Three threads, three locks, always taken from the lower number to the higher one.
#include <pthread.h>

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *argument) {
    int self = *(int *)argument;
    int next = (self + 1) % 3;
    int first = self < next ? self : next, second = self < next ? next : self;
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[second]);
    pthread_mutex_unlock(&locks[second]);
    pthread_mutex_unlock(&locks[first]);
    return NULL;
}

int main(void) {
    int numbers[3] = {0, 1, 2};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
