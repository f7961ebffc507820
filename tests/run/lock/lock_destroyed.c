// run: --runs 1
// A mutex is locked after it was destroyed.
#include <pthread.h>

int main(void) {
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_destroy(&lock);
    pthread_mutex_lock(&lock); //~ error[lock]
    pthread_mutex_unlock(&lock);
    return 0;
}
