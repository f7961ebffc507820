// check: --property assert,reach-error,lock
// A function that nobody knows is reached: there is no verdict, and it is named.
#include <assert.h>
#include <pthread.h>

extern int read_sensor(void);
static int value;

static void *measure(void *unused) {
    (void)unused;
    value = read_sensor(); //~ error[unmodelled]
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, measure, NULL);
    assert(value == 0 || value != 0);
    pthread_join(a, NULL);
    return 0;
}
