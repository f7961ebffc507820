// quick_exit runs the handlers of at_quick_exit, the last one first, and not those of atexit.
#include <stdio.h>
#include <stdlib.h>

static void never(void) { puts("not printed"); }
static void last(void) {
    puts("last");
    fflush(stdout);
}
static void first(void) { puts("first"); }

int main(void) {
    atexit(never);
    at_quick_exit(last);
    at_quick_exit(first);
    quick_exit(77);
}
