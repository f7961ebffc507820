// check:
// A handler sets a flag that a loop waits for: the loop is left, whenever the signal comes.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t stop;

static void on_interrupt(int signal) {
    stop = signal;
}

int main(void) {
    signal(SIGINT, on_interrupt);
    while (!stop) {
    }
    assert(stop == SIGINT);
    return 0;
}
