// Variable arguments: ints, long longs, doubles, pointers, structs, va_copy, and handing a va_list on.
#include <stdarg.h>
#include <stdio.h>

struct small { int a; };
struct pair { double x; int y; };
struct large { long long v[5]; };

static int sum(int n, ...) {
    va_list list;
    int total = 0;
    va_start(list, n);
    while (n--)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

static double mean(int n, ...) {
    va_list list, again;
    double total = 0, spread = 0;
    va_start(list, n);
    va_copy(again, list);
    for (int i = 0; i < n; i++)
        total += va_arg(list, double);
    for (int i = 0; i < n; i++) {
        double d = va_arg(again, double) - total / n;
        spread += d * d;
    }
    va_end(again);
    va_end(list);
    return total / n + spread * 1000;
}

static void walk(const char *kinds, va_list list) {
    for (; *kinds; kinds++)
        switch (*kinds) {
        case 'i': printf("i=%d ", va_arg(list, int)); break;
        case 'u': printf("u=%u ", va_arg(list, unsigned)); break;
        case 'l': printf("l=%lld ", va_arg(list, long long)); break;
        case 'd': printf("d=%g ", va_arg(list, double)); break;
        case 's': printf("s=%s ", va_arg(list, const char *)); break;
        case 'S': printf("S=%d ", va_arg(list, struct small).a); break;
        case 'P': {
            struct pair p = va_arg(list, struct pair);
            printf("P=%g,%d ", p.x, p.y);
            break;
        }
        case 'L': {
            struct large v = va_arg(list, struct large);
            printf("L=%lld,%lld ", v.v[0], v.v[4]);
            break;
        }
        }
    printf("\n");
}

static void show(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    walk(kinds, list);
    va_end(list);
}

static int format(char *buffer, size_t size, const char *pattern, ...) {
    va_list list;
    va_start(list, pattern);
    int n = vsnprintf(buffer, size, pattern, list);
    va_end(list);
    return n;
}

static void last_int(va_list *list, int n, int *result) {
    while (n--)
        *result = va_arg(*list, int);
}

static int through_pointer(int n, ...) {
    va_list list;
    int result = 0;
    va_start(list, n);
    last_int(&list, n - 1, &result);
    int last = va_arg(list, int);
    va_end(list);
    return result * 100 + last;
}

int main(void) {
    printf("%d %d\n", sum(0), sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%g\n", mean(9, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.5));
    show("ildsil", 1, 2LL, 3.5, "four", 5, -6LL);
    show("SPLiPd", (struct small){7}, (struct pair){1.5, 2}, (struct large){{1, 2, 3, 4, 5}}, 6, (struct pair){-1, -2},
         8.25);
    show("dddddddddd", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0);
    char c = 'c';
    short s = -9;
    float f = 0.75f;
    show("iiidu", c, s, (signed char)-1, f, 4000000000u);
    char text[32];
    int n = format(text, sizeof text, "%d-%s-%.2f", 5, "x", 1.0 / 3);
    printf("%d %s\n", n, text);
    printf("%d\n", through_pointer(4, 11, 22, 33, 44));
    return 0;
}
