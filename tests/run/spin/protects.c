// run: --runs 50 --seed 1
// Only one of the two threads takes the spin lock.
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *careful(void *unused) {
    (void)unused;
    pthread_spin_lock(&lock);
    counter++; //~ error[race]
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, careful, NULL);
    counter++;
    pthread_join(thread, NULL);
    pthread_spin_destroy(&lock);
    return 0;
}
