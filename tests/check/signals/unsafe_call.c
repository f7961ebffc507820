// check:
// printf may not be called in a handler: the thread may be in the middle of another one.
#include <signal.h>
#include <stdio.h>

static void on_interrupt(int signal) {
    printf("signal %d\n", signal); //~ error[signal]
}

int main(void) {
    signal(SIGINT, on_interrupt);
    puts("working");
    return 0;
}
