// check: --property assert,reach-error,lock
// Two threads add to a counter without a lock.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *add(void *unused) {
    (void)unused;
    counter++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ error[assert]
    return 0;
}
