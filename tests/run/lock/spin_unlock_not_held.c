// run: --runs 1
// A spin lock is released that nobody holds.
#include <pthread.h>

int main(void) {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_unlock(&lock); //~ error[lock]
    pthread_spin_destroy(&lock);
    return 0;
}
