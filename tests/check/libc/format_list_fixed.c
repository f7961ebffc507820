// check:
// The first argument is taken before the list is handed on: enough are left.
#include <stdarg.h>
#include <stdio.h>

static int total;

static void record(const char *format, ...) {
    va_list list;
    va_start(list, format);
    total += va_arg(list, int);
    vprintf(format, list);
    va_end(list);
}

int main(void) {
    record("%d of %d\n", 1, 2, 3);
    record("%d in all\n", 1, 2);
    return total;
}
