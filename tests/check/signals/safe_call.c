// check:
// write may be called in a handler, and so may _exit.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void on_interrupt(int signal) {
    (void)signal;
    write(1, "stopped\n", 8);
    _exit(1);
}

int main(void) {
    signal(SIGINT, on_interrupt);
    puts("working");
    return 0;
}
