// run: --runs 300 --seed 1
// A handler ends a sleep.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static void on_interrupt(int signal) {
    (void)signal;
}

int main(void) {
    signal(SIGINT, on_interrupt);
    unsigned left = sleep(10);
    assert(left == 0); //~ error[assert]
    return 0;
}
