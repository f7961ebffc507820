// check:
// Two threads wait for a signal that is sent once: only one of them gets it, and the other one waits for ever.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;

static void *wait_for_signal(void *unused) {
    int signal;
    sigwait(&set, &signal); //~ error[deadlock]
    assert(signal == SIGUSR1);
    return unused;
}

int main(void) {
    pthread_t one, other;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&one, NULL, wait_for_signal, NULL);
    pthread_create(&other, NULL, wait_for_signal, NULL);
    kill(getpid(), SIGUSR1);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
