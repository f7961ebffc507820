// events: --property memory
// To free memory that others can reach is a write of whether it is there, and an access reads that.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic p;

static void *other(void *unused) {
    int *q = p;
    if (q) *q = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    int *q = malloc(sizeof *q);
    p = q;
    free(q);
    return 0;
}
