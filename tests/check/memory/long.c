// check: --property assert,reach-error,lock --data-model LP64
// Where long has 64 bits the value does not fit into an int.
#include <assert.h>
#include <pthread.h>

static long big;

static void *work(void *unused) {
    (void)unused;
    big = 1L << (8 * sizeof big - 2);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    assert((long)(int)big == big); //~ error[assert]
    return 0;
}
