// run: --runs 1
// A thread spins for a lock that it holds itself.
#include <pthread.h>

int main(void) {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_spin_lock(&lock); //~ error[deadlock]
    return 0;
}
