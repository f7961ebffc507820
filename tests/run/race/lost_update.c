// run: --runs 50 --seed 1
// Two threads count up the same variable without a lock: one update can get lost.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *increment(void *unused) {
    (void)unused;
    counter = counter + 1; //~ error[race]
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
