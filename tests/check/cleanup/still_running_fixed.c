// check: --property valid-memcleanup
// The thread frees what it takes, and the program waits for it.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused) {
    int *scratch = malloc(sizeof *scratch);
    free(scratch);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
