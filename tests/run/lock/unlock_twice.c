// run: --runs 1
// The mutex is released twice in a row.
#include <pthread.h>

int main(void) {
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock); //~ error[lock]
    pthread_mutex_destroy(&lock);
    return 0;
}
