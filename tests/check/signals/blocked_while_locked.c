// check:
// The signal is blocked while the mutex is held.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void count(void) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
}

static void on_user(int signal) {
    (void)signal;
    count();
}

int main(void) {
    sigset_t users, before;
    sigemptyset(&users);
    sigaddset(&users, SIGUSR1);
    signal(SIGUSR1, on_user);
    pthread_sigmask(SIG_BLOCK, &users, &before);
    count();
    pthread_sigmask(SIG_SETMASK, &before, 0);
    return 0;
}
