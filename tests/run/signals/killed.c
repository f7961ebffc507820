// run: --runs 1
// The default action ends the program.
#include <signal.h>
#include <stdio.h>

int main(void) {
    puts("before");
    raise(SIGTERM);
    puts("after");
    return 0;
}
