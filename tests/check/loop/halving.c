// check: --property assert,reach-error,lock
// Five rounds are possible.
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
    tp_assert(count < 5); //~ error[assert]
    return 0;
}
