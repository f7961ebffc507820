// run: --runs 1
// What a compiler calls instead of the string and printf functions when it is told to fortify.
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern void *__memcpy_chk(void *, const void *, size_t, size_t), *__memmove_chk(void *, const void *, size_t, size_t);
extern void *__memset_chk(void *, int, size_t, size_t);
extern char *__strcpy_chk(char *, const char *, size_t), *__strcat_chk(char *, const char *, size_t);
extern char *__strncpy_chk(char *, const char *, size_t, size_t), *__strncat_chk(char *, const char *, size_t, size_t);
extern char *__stpcpy_chk(char *, const char *, size_t);
extern int __printf_chk(int, const char *, ...), __fprintf_chk(FILE *, int, const char *, ...);
extern int __sprintf_chk(char *, int, size_t, const char *, ...);
extern int __snprintf_chk(char *, size_t, int, size_t, const char *, ...), __dprintf_chk(int, int, const char *, ...);

static int to_descriptor(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int written = vdprintf(1, format, list);
    va_end(list);
    return written;
}

int main(void) {
    char b[16], c[16];
    __memset_chk(b, 'x', 15, sizeof b);
    b[15] = 0;
    assert(strlen(b) == 15);
    __memcpy_chk(c, b, 16, sizeof c);
    __memmove_chk(c + 1, c, 8, sizeof c - 1);
    assert(strcmp(b, c) == 0);
    __strcpy_chk(b, "ab", sizeof b);
    __strcat_chk(b, "cd", sizeof b);
    __strncat_chk(b, "efgh", 2, sizeof b);
    assert(strcmp(b, "abcdef") == 0);
    __strncpy_chk(c, b, 3, sizeof c);
    assert(memcmp(c, "abc", 3) == 0 && *__stpcpy_chk(c, "xyz", sizeof c) == 0 && strcmp(c, "xyz") == 0);
    assert(__printf_chk(1, "%d\n", 1) == 2 && __fprintf_chk(stdout, 1, "%d\n", 2) == 2);
    assert(__sprintf_chk(b, 1, sizeof b, "%d", 33) == 2 && __snprintf_chk(c, 3, 1, sizeof c, "%d", 4444) == 4);
    assert(strcmp(b, "33") == 0 && strcmp(c, "44") == 0);
    assert(__dprintf_chk(1, 1, "%s\n", "five") == 5 && to_descriptor("%d\n", 6) == 2);
    assert(strtoimax("-12", NULL, 10) == -12 && strtoumax("12", NULL, 10) == 12);
    assert(strlen(strerror(ENOMEM)) > 0);
    errno = ENOMEM;
    perror("as expected");
    struct timespec step;
    assert(clock_getres(CLOCK_MONOTONIC, &step) == 0 && difftime(5, 3) == 2.0);
    return 0;
}
