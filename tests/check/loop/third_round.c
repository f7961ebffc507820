// check: --property assert,reach-error,lock
// Wrong in the third round, which is found without a bound being given.
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int open_files;

static void *serve(void *unused) {
    (void)unused;
    while (tp_input_bool("request")) {
        pthread_mutex_lock(&lock);
        open_files++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, serve, NULL);
    pthread_mutex_lock(&lock);
    tp_assert(open_files < 3); //~ error[assert]
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
