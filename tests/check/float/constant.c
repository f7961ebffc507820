// check: --property assert,reach-error,lock
// Floating-point numbers that constants decide are computed exactly; the update is lost all the same.
#include <assert.h>
#include <pthread.h>

static double total = 0.5;

static void *add(void *argument) {
    double step = *(int *)argument / 4.0;
    double old = total;
    total = step == 0.25 ? 0.75 : 1.0;
    (void)old;
    return NULL;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, add, &one);
    pthread_create(&b, NULL, add, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total != 0.75); //~ error[assert]
    return 0;
}
