// The middle of two numbers by half of their difference.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <threadproof.h>

static int low, high, middle;

static void *compute(void *unused) {
    middle = low <= high ? low + (high - low) / 2 : high + (low - high) / 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    low = tp_input_range("low", 0, INT_MAX);
    high = tp_input_range("high", 0, INT_MAX);
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, NULL);
    assert((low <= middle && middle <= high) || (high <= middle && middle <= low));
    return 0;
}
