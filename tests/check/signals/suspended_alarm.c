// check:
// The alarm is blocked but for the wait itself.
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rang;

static void on_alarm(int signal) {
    (void)signal;
    rang = 1;
}

int main(void) {
    sigset_t alarms, before;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    signal(SIGALRM, on_alarm);
    sigprocmask(SIG_BLOCK, &alarms, &before);
    alarm(1);
    while (!rang)
        sigsuspend(&before);
    return 0;
}
