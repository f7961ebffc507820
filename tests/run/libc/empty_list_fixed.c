// run: --runs 1
// A function like printf, called without variable arguments: the list that it hands on is empty, not used up.
#include <err.h>
#include <stdarg.h>
#include <stdio.h>

static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

int main(void) {
    say("one\n");
    say("%d\n", 2);
    warnx("three");
    return 0;
}
