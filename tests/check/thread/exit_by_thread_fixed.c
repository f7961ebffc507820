// check: --property assert,reach-error,lock
// A thread ends the program; what main would have done after the join does not happen.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused) {
    (void)unused;
    exit(3);
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    assert(0);
    return 0;
}
