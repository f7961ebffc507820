// check: --property assert,reach-error,lock --models unmodelled/models/sensor.c
// With a model that says what the function returns there is a proof.
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
    assert(value < 1000);
    return 0;
}
