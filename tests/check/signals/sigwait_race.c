// check:
// The thread that waits for signals writes what others read, without a lock.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static int reloads;

static void *wait_for_signals(void *set) {
    int signal;
    sigwait(set, &signal);
    reloads++; //~ error[race]
    return 0;
}

int main(void) {
    sigset_t set;
    pthread_t thread;
    sigfillset(&set);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, wait_for_signals, &set);
    int seen = reloads;
    pthread_join(thread, 0);
    return seen > 1;
}
