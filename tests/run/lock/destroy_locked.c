// run: --runs 1
// A mutex is destroyed while it is locked.
#include <pthread.h>

int main(void) {
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_destroy(&lock); //~ error[lock]
    return 0;
}
