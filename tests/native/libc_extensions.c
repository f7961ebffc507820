// Functions of POSIX, BSD and GNU beyond the C standard, and the rarer ones of the standard itself.
#define _GNU_SOURCE
#include <inttypes.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int by_table(const void *a, const void *b, void *table) {
    const int *order = table;
    return order[*(const int *)a] - order[*(const int *)b];
}

static void show(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    va_start(list, format);
    vfprintf(stdout, format, list);
    va_end(list);
}

static int scan(const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsscanf(text, format, list);
    va_end(list);
    return n;
}

static char *format(const char *pattern, ...) {
    va_list list;
    char *text = NULL;
    va_start(list, pattern);
    if (vasprintf(&text, pattern, list) < 0)
        text = NULL;
    va_end(list);
    return text;
}

int main(void) {
    char buffer[32];
    strcpy(stpcpy(stpcpy(buffer, "one"), "+"), "two");
    printf("%s %d\n", buffer, (int)(stpncpy(buffer + 10, "xyz", 6) - buffer));
    char *end = mempcpy(buffer, "abcdef", 6);
    *end = 0;
    printf("%s %d\n", buffer, (int)((char *)memccpy(buffer, "12345", '3', 5) - buffer));
    puts(buffer);
    const char *text = "the Theatre of the absurd";
    printf("%d %d %d\n", (int)((char *)memrchr(text, 't', 25) - text), (int)((char *)memmem(text, 25, "tre", 3) - text),
           (int)(strcasestr(text, "THEA") - text));
    printf("%d %d %d\n", (int)(strchrnul(text, 'q') - text), (int)(rindex(text, 'e') - text), (int)(index(text, 'e') - text));
    char list[] = "a,,b;c", *rest = list, *part;
    while ((part = strsep(&rest, ",;")))
        printf("[%s]", part);
    printf("\n%d %d\n", strcoll("a", "b") < 0, bcmp("same", "same", 4));
    bzero(buffer, 4);
    bcopy("copy", buffer + 4, 5);
    printf("%d %s\n", buffer[3], buffer + 4);
    printf("%d %d %d %d\n", ffs(0), ffs(40), ffsl(1L << 20), ffsll(1LL << 40));
    ldiv_t l = ldiv(-17L, 5L);
    lldiv_t ll = lldiv(17LL, -5LL);
    printf("%ld %ld %lld %lld %lld %" PRIdMAX "\n", l.quot, l.rem, ll.quot, ll.rem, llabs(-5LL), imaxabs(-6));
    char *formatted = format("%s/%04d/%c", "path", 42, 'z');
    puts(formatted);
    free(formatted);
    if (asprintf(&formatted, "%.3f", 2.5) == 5)
        puts(formatted);
    free(formatted);
    show("%d-%s ", 1, "twice");
    putc('\n', stdout);
    fputc('c', stdout);
    putchar_unlocked('\n');
    int a = 0, b = 0;
    printf("%d ", scan("7 x 8", "%d x %d", &a, &b));
    printf("%d %d %g\n", a, b, strtof("1.25e1", NULL));
    int *numbers = reallocarray(NULL, 5, sizeof *numbers), order[] = {3, 0, 4, 1, 2};
    for (int i = 0; i < 5; i++)
        numbers[i] = i;
    qsort_r(numbers, 5, sizeof *numbers, by_table, order);
    for (int i = 0; i < 5; i++)
        printf("%d ", numbers[i]);
    free(numbers);
    void *aligned = memalign(64, 100);
    printf("%d\n", (int)((uintptr_t)aligned % 64));
    free(aligned);
    return 0;
}
