// check: --property assert,reach-error,lock
// A loop whose end an input decides, and which cannot go round more than five times: safe without a bound.
#include <pthread.h>
#include <threadproof.h>

static int half, count;

static void *work(void *unused) {
    (void)unused;
    for (unsigned n = half; n > 0; n /= 2)
        count++;
    return NULL;
}

int main(void) {
    pthread_t a;
    half = tp_input_range("n", 0, 31);
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    tp_assert(count <= 5);
    return 0;
}
