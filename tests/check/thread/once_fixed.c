// check: --property assert,reach-error,lock
// pthread_once lets one of them in, and the others wait until it is done.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int times;

static void initialise(void) { times++; }

static void *use(void *unused) {
    (void)unused;
    pthread_once(&once, initialise);
    assert(times == 1);
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
