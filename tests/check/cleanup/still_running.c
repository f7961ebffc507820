// check: --property valid-memcleanup
// The thread frees what it takes, but nobody waits for it: the program may end in between.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused) {
    int *scratch = malloc(sizeof *scratch); //~ error[cleanup]
    free(scratch);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    return 0;
}
