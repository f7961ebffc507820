// check: --property assert,reach-error,lock --unmodelled pure
// It is assumed to return any value and to change nothing, and the answer says so.
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
    assert(value == 0 || value != 0);
    pthread_join(a, NULL);
    return 0;
}
