// One line for each call: what was called, and what it gave. The test counts the lines.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define INT(call) printf("call %s = %d\n", #call, (int)(call))
#define LONG(call) printf("call %s = %lld\n", #call, (long long)(call))
#define REAL(call) printf("call %s = %.17g\n", #call, (double)(call))
#define TEXT(call) show_text(#call, call)
// With what is in errno afterwards.
#define FAILS(call) show_error(#call, (errno = 0, (long long)(call)))

static inline void show_text(const char *what, const char *text) {
    printf("call %s = %s%s%s\n", what, text ? "\"" : "", text ? text : "null", text ? "\"" : "");
}

static inline void show_error(const char *what, long long result) {
    int error = errno;
    printf("call %s = %lld, errno %d\n", what, result, error);
}
