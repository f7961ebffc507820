// check:
// The thread may still have its memory when the program ends. Whether that is lost is not decided; all else is.
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
    return 0;
}
