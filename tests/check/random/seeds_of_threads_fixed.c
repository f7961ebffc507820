// check: --property assert
// Who sets the seed and draws under one lock draws what the seed gives.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int drawn[2];

static void *worker(void *which) {
    int *to = which;
    pthread_mutex_lock(&mutex);
    srand(to == drawn ? 5 : 6);
    *to = rand();
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, drawn);
    pthread_create(&b, NULL, worker, drawn + 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    srand(5);
    assert(rand() == drawn[0]);
    return 0;
}
