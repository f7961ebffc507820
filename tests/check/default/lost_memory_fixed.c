// check:
// The first block is freed before the second one takes its place.
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *make(void *unused) {
    free(block);
    block = malloc(sizeof *block);
    return unused;
}

int main(void) {
    pthread_t a;
    block = malloc(sizeof *block);
    pthread_create(&a, NULL, make, NULL);
    pthread_join(a, NULL);
    free(block);
    return 0;
}
