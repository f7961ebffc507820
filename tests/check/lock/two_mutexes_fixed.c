// check: --property lock
// Two threads, each with a mutex and a condition variable of its own.
#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t go[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int flags[2];

static void *wait_for(void *argument) {
    int me = *(int *)argument;
    pthread_mutex_lock(&locks[me]);
    if (!flags[me])
        pthread_cond_wait(&go[me], &locks[me]);
    pthread_mutex_unlock(&locks[me]);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, wait_for, &numbers[i]);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&locks[i]);
        flags[i] = 1;
        pthread_cond_signal(&go[i]);
        pthread_mutex_unlock(&locks[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
