// run: --runs 200 --seed 1
// The handler locks a mutex that the thread it interrupts may hold.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void count(void) {
    pthread_mutex_lock(&lock); //~ error[deadlock]
    counter++;
    pthread_mutex_unlock(&lock);
}

static void on_user(int signal) {
    (void)signal;
    count();
}

int main(void) {
    signal(SIGUSR1, on_user);
    count();
    return 0;
}
