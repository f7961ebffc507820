// run: --runs 1
// _exit ends the program without running what atexit registered.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void) { puts("not printed"); }

int main(void) {
    atexit(never);
    _exit(0);
}
