// check: --property assert,reach-error,lock --unmodelled pure
// Any value, also one that is too large: the run in which it is returned is executed with that value.
#include <assert.h>
#include <pthread.h>

extern int read_sensor(void);
static int value;

static void *measure(void *unused) {
    (void)unused;
    value = read_sensor();
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, measure, NULL);
    pthread_join(a, NULL);
    assert(value < 1000); //~ error[assert]
    return 0;
}
