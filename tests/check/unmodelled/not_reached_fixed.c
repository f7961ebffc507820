// check: --property assert,reach-error,lock
// A function without a model does no harm where it is never called.
#include <assert.h>
#include <pthread.h>

extern int read_sensor(void);
static int enabled, value;

static void *measure(void *unused) {
    (void)unused;
    if (enabled)
        value = read_sensor();
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, measure, NULL);
    pthread_join(a, NULL);
    assert(value == 0);
    return 0;
}
