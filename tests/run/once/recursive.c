// run: --runs 1
// The initialiser waits for itself.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) {
    pthread_once(&once, initialise); //~ error[deadlock]
}

int main(void) {
    pthread_once(&once, initialise);
    return 0;
}
