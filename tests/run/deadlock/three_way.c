// run: --runs 200 --seed 1
// Three threads, three locks, each takes its own and then the next one's: a cycle of three.
#include <pthread.h>

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *argument) {
    int self = *(int *)argument;
    int next = (self + 1) % 3;
    int first = self, second = next;
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[second]); //~ error[deadlock]
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
