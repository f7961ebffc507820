// check: --property arithmetic
// Even the larger number fits.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic double scale = 2.0;

static void *enlarge(void *unused) {
    scale = 1e8;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, enlarge, NULL);
    int result = (int)(scale * 4.0);
    pthread_join(t, NULL);
    return result == 3;
}
