// run: --runs 1
// A barrier for no thread at all.
#include <pthread.h>

int main(void) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 0); //~ error[lock]
    return 0;
}
