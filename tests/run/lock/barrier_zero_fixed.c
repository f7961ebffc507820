// run: --runs 1
// A barrier for one thread lets it pass at once.
#include <pthread.h>

int main(void) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 1);
    int serial = pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
    return serial != PTHREAD_BARRIER_SERIAL_THREAD;
}
