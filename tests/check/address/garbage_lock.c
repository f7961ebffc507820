// check: --property deadlock
// A mutex that was never initialised may seem to be held.
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_lock(m); //~ error[deadlock]
    pthread_mutex_unlock(m);
    free(m);
    return 0;
}
