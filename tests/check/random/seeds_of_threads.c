// check: --property assert
// Both threads begin with their own seed, but there is one generator: the other one may set it in between.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int drawn[2];

static void *worker(void *which) {
    int *to = which;
    srand(to == drawn ? 5 : 6);
    *to = rand();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, drawn);
    pthread_create(&b, NULL, worker, drawn + 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    srand(5);
    assert(rand() == drawn[0]); //~ error[assert]
    return 0;
}
