// _Exit leaves without running handlers.
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { puts("not printed"); }

int main(void) {
    atexit(handler);
    puts("printed");
    fflush(stdout);
    _Exit(9);
}
