// check: --property lock
// What lies in a local is no mutex, and it was not destroyed: it never was one.
#include <pthread.h>

int main(void) {
    pthread_mutex_t lock;
    pthread_mutex_lock(&lock); //~ error[lock]
    pthread_mutex_unlock(&lock);
    return 0;
}
