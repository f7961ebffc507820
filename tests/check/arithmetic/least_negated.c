// check: --property overflow
// The least number has no counterpart: dividing it by what another thread left overflows.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

static atomic_int sign = 1;

static void *turn(void *unused) {
    sign = -1;
    return unused;
}

int main(void) {
    int value = tp_input_int("value");
    pthread_t t;
    pthread_create(&t, NULL, turn, NULL);
    int turned = value / sign; //~ error[overflow]
    pthread_join(t, NULL);
    return turned == 7;
}
