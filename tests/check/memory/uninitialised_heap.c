// check: --property assert,reach-error,lock
// So does memory from malloc.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *argument) {
    int *cell = argument;
    assert(*cell != 77); //~ error[assert]
    return NULL;
}

int main(void) {
    pthread_t a;
    int *cell = malloc(sizeof *cell);
    pthread_create(&a, NULL, work, cell);
    pthread_join(a, NULL);
    free(cell);
    return 0;
}
