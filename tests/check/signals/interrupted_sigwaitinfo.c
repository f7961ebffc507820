// check:
// A handler ends a wait for another signal: nothing was taken then.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_t waiter;

static void handle(int signal) {
    (void)signal;
}

static void *interrupt(void *unused) {
    pthread_kill(waiter, SIGUSR2);
    pthread_kill(waiter, SIGUSR1);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigset_t set;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    waiter = pthread_self();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sigaction(SIGUSR2, &action, NULL);
    pthread_create(&thread, NULL, interrupt, NULL);
    int taken = sigwaitinfo(&set, NULL);
    assert(taken == SIGUSR1); //~ error[assert]
    pthread_join(thread, NULL);
    return 0;
}
