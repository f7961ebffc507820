// check: --no-signals
// What is assumed is in the ledger.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t stop;

static void on_interrupt(int signal) {
    stop = signal;
}

int main(void) {
    signal(SIGINT, on_interrupt);
    assert(!stop);
    return 0;
}
