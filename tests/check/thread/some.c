// check: --property assert,reach-error,lock --unwind 2
// As many threads as the input says, all of them joined: what lies behind the last id in the array is none.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threadproof.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *unused) {
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    int n = tp_input_range("threads", 0, 1000);
    pthread_t *threads = malloc((size_t)n * sizeof *threads);
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < n - 1; i++)
        pthread_join(threads[i], 0);
    assert(sum >= n - 1);
    return 0;
}
