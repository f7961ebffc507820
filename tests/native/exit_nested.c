// exit deep inside nested calls: handlers run in reverse order, output is flushed, the low byte is the status.
#include <stdio.h>
#include <stdlib.h>

static int depth;

static void report(void) { printf("depth was %d", depth); }
static void first(void) { printf("; first\n"); }
static void second(void) {
    printf("; second");
    atexit(first);
}

static void down(int n) {
    depth++;
    if (n == 0)
        exit(256 + 17);
    down(n - 1);
    printf("not reached\n");
}

int main(void) {
    atexit(second);
    atexit(report);
    atexit(report);
    down(5);
    return 0;
}
