// check: --property race
// Whoever comes first initialises, and the others wait for it: pthread_once orders what it did with what they do.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int settings;

static void initialise(void) {
    settings = 3;
}

static void *use(void *unused) {
    pthread_once(&once, initialise);
    (void)settings;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    return 0;
}
