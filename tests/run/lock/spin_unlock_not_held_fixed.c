// run: --runs 1
// A spin lock is released by the thread that holds it.
#include <pthread.h>

int main(void) {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_spin_unlock(&lock);
    pthread_spin_destroy(&lock);
    return 0;
}
