// check: --property memory
// A list of arguments is handed to two functions that take from it: after the first it holds none that can be relied on.
#include <stdarg.h>
#include <stdio.h>

static void report(const char *format, ...) {
    char line[32];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    vprintf(format, list); //~ error[memory]
    va_end(list);
}

int main(void) {
    report("%d of %d\n", 1, 2);
    return 0;
}
