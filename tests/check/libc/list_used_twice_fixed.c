// check: --property memory
// The repair: the first function gets a copy.
#include <stdarg.h>
#include <stdio.h>

static void report(const char *format, ...) {
    char line[32];
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    vsnprintf(line, sizeof line, format, copy);
    va_end(copy);
    vprintf(format, list);
    va_end(list);
}

int main(void) {
    report("%d of %d\n", 1, 2);
    return 0;
}
