// check:
// The second block takes the place of the first one, which nobody can free any more.
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *make(void *unused) {
    block = malloc(sizeof *block);
    return unused;
}

int main(void) {
    pthread_t a;
    block = malloc(sizeof *block); //~ error[memory]
    pthread_create(&a, NULL, make, NULL);
    pthread_join(a, NULL);
    free(block);
    return 0;
}
