// check: --property invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free
// Who comes second frees what the first one has freed.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *drop(void *unused) {
    pthread_mutex_lock(&lock);
    free(shared); //~ error[memory]
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    shared = malloc(sizeof *shared);
    pthread_t s, t;
    pthread_create(&s, NULL, drop, NULL);
    pthread_create(&t, NULL, drop, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
