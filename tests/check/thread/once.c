// check: --property assert,reach-error,lock
// Initialised by whoever comes first, as each of them sees it.
#include <assert.h>
#include <pthread.h>

static int is_initialised, times;

static void *use(void *unused) {
    (void)unused;
    if (!is_initialised) {
        times++;
        is_initialised = 1;
    }
    assert(times == 1); //~ error[assert]
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
