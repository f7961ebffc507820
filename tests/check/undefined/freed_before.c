// check: --property reach-error
// The same with memory that another thread may have freed.
#include <pthread.h>
#include <stdlib.h>

void reach_error(void);

static int *p;

static void *release(void *unused) {
    free(p);
    return unused;
}

int main(void) {
    p = malloc(sizeof *p);
    *p = 0;
    pthread_t t;
    pthread_create(&t, 0, release, 0);
    if (*p != 0) //~ warning[undefined]
        reach_error();
    pthread_join(t, 0);
    return 0;
}
