// check: --unwind 1
// How often the loop goes round is not known, so all is shown within bounds; but that nothing races needs none.
#include <pthread.h>

int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned served;

static void *serve(void *unused) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        served++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, serve, NULL);
    serve(NULL);
    pthread_join(t, NULL);
    return 0;
}
