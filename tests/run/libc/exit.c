// run: --runs 1
// exit runs the functions registered with atexit, the last one first.
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("registered first"); }
static void second(void) { puts("registered second"); }

int main(void) {
    atexit(first);
    atexit(second);
    puts("leaving");
    exit(3);
}
