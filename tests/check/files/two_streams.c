// check: --property deadlock
// Streams have locks: taken in different orders, they block each other.
#include <pthread.h>
#include <stdio.h>

static void *worker(void *unused) {
    (void)unused;
    flockfile(stderr);
    fputs("b", stdout); //~ error[deadlock]
    funlockfile(stderr);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    flockfile(stdout);
    fputs("a", stderr);
    funlockfile(stdout);
    pthread_join(t, NULL);
    return 0;
}
