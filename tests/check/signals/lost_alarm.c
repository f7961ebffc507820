// check:
// The alarm may come between the test and the wait: then nothing ends the wait.
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rang;

static void on_alarm(int signal) {
    (void)signal;
    rang = 1;
}

int main(void) {
    signal(SIGALRM, on_alarm);
    alarm(1);
    while (!rang)
        pause(); //~ error[deadlock]
    return 0;
}
