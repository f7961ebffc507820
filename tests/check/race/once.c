// check: --property race
// Whoever comes first initialises; a flag says that it was done, but not that it is complete, and has no lock.
#include <pthread.h>

static int settings, initialised;

static void initialise(void) {
    settings = 3;
    initialised = 1;
}

static void *use(void *unused) {
    if (!initialised) //~ error[race]
        initialise();
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
