// check:
// Who hands a list of arguments on has taken the first one from it already.
#include <stdarg.h>
#include <stdio.h>

static int total;

static void record(const char *format, ...) {
    va_list list;
    va_start(list, format);
    total += va_arg(list, int);
    vprintf(format, list); //~ error[memory]
    va_end(list);
}

int main(void) {
    record("%d of %d\n", 1, 2, 3);
    record("%d of %d\n", 1, 2);
    return total;
}
