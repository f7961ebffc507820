// check: --property assert,reach-error,lock --unwind 4
// A server that goes on for ever: what is true within four requests is no proof, and the loop is named.
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int opened, closed;

static void *serve(void *unused) {
    (void)unused;
    while (tp_input_bool("request")) {
        pthread_mutex_lock(&lock);
        opened++;
        closed++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, serve, NULL);
    pthread_mutex_lock(&lock);
    tp_assert(opened == closed);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
