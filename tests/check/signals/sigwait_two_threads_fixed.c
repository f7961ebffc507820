// check: --property assert
// Two threads wait for a signal that is sent once: at most one of them gets it.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int taken;
static sigset_t set;

static void *wait_for_signal(void *unused) {
    int signal;
    sigwait(&set, &signal);
    taken++;
    assert(taken == 1);
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
    pthread_exit(NULL);
}
