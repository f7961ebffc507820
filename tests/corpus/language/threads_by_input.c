// How many threads there are is an input.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

#define MOST 3

static atomic_int counter;

static void *count(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t threads[MOST];
    int n = tp_input_range("threads", 0, MOST);
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    assert(counter == n);
    return 0;
}
