// run: --runs 1
// A destroyed mutex may be initialised again, and then be locked.
#include <pthread.h>

int main(void) {
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_destroy(&lock);
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
