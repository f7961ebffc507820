// run: --runs 50 --seed 1
// The sleep goes on.
#include <signal.h>
#include <unistd.h>

static void on_interrupt(int signal) {
    (void)signal;
}

int main(void) {
    signal(SIGINT, on_interrupt);
    unsigned left = 10;
    while (left > 0)
        left = sleep(left);
    return 0;
}
