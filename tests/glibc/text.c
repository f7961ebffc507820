// printf and scanf.
#include "calls.h"
#include <math.h>

#define PRINT(...) (length = snprintf(b, sizeof b, __VA_ARGS__), printf("call snprintf(%s) = %d \"%s\"\n", #__VA_ARGS__, length, b))
#define SCAN(text, format, ...) printf("call sscanf(\"%s\", \"%s\") = %d", text, format, sscanf(text, format, __VA_ARGS__))

int main(void) {
    char b[100];
    int length, x = -1, y = -1, n = -1;
    PRINT("%d", -2147483647 - 1); PRINT("%5d|%-5d|%05d", 42, 42, 42); PRINT("%+d % d", 5, 5); PRINT("%.0d", 0); PRINT("%.3d", 7);
    PRINT("%x %X %#x %#o", 255, 255, 255, 8); PRINT("%#x", 0); PRINT("%hhd %hd", 300, 70000); PRINT("%lld", -9223372036854775807ll - 1);
    PRINT("%zu", (size_t)7); PRINT("%jd", (long long)-3); PRINT("%u", -1); PRINT("%c%c", 'a', 0); PRINT("%5c|%-5c|", 'x', 'y');
    PRINT("%s", ""); PRINT("%.2s", "abc"); PRINT("%10.2s|", "abc"); PRINT("%-10s|", "abc"); PRINT("%.*s", 2, "xyz"); PRINT("%*d", -5, 3);
    PRINT("%%"); PRINT("%5%"); PRINT("%f", 1.5); PRINT("%.0f", 0.5); PRINT("%.0f", 1.5); PRINT("%.0f", 2.5); PRINT("%#.0f", 2.5);
    PRINT("%e", 12345.678); PRINT("%E", 0.0); PRINT("%g", 1e-5); PRINT("%g", 100000.0); PRINT("%g", 1e6); PRINT("%#g", 1.0);
    PRINT("%G", 1e-10); PRINT("%a", 1.0); PRINT("%.1a", 1.999); PRINT("%f", INFINITY); PRINT("%F", -INFINITY); PRINT("%5.1f|", NAN);
    PRINT("%010f", -1.5); PRINT("%+.2e", 1e100); PRINT("%08.3f", 3.14159); PRINT("%-8.1f|", 2.25); PRINT("% f", 0.0); PRINT("%f", -0.0);
    PRINT("%.20g", 0.1); PRINT("%.3g", 0.00012345); PRINT("%p", NULL); PRINT("%s", (char *)"x"); PRINT("%+5d|%+-5d|", 3, 3); PRINT("%-05d|", 3);
    PRINT("%.10d", -5); PRINT("%8.3d|", -5); PRINT("%08.3d|", 5); PRINT("%o", 511); PRINT("%ld", 1l);
    INT(snprintf(NULL, 0, "%d", 12345)); INT(snprintf(b, 3, "%d", 12345)); TEXT(b); INT(snprintf(b, 1, "x")); TEXT(b);
    INT(sprintf(b, "a%nb", &n)); INT(n);
    SCAN("12 34", "%d %d", &x, &y); printf(" %d %d\n", x, y);
    SCAN("", "%d", &x); printf(" %d\n", x);
    SCAN("abc", "%d", &x); printf(" %d\n", x);
    SCAN("0x1f", "%i", &x); printf(" %d\n", x);
    SCAN("0x1f", "%x", &x); printf(" %d\n", x);
    SCAN("017", "%i", &x); printf(" %d\n", x);
    SCAN("-5", "%u", &x); printf(" %d\n", x);
    SCAN("12345", "%3d%d", &x, &y); printf(" %d %d\n", x, y);
    SCAN("1,2", "%d,%d", &x, &y); printf(" %d %d\n", x, y);
    SCAN("1;2", "%d,%d", &x, &y); printf(" %d %d\n", x, y);
    SCAN("  word next", "%s%n", b, &n); printf(" %s %d\n", b, n);
    SCAN("abcdef", "%3s", b); printf(" %s\n", b);
    SCAN("abc123", "%[a-z]%d", b, &x); printf(" %s %d\n", b, x);
    SCAN("]x", "%[]]", b); printf(" %s\n", b);
    SCAN("abc", "%[^b]", b); printf(" %s\n", b);
    SCAN("5%", "%d%%%n", &x, &n); printf(" %d %d\n", x, n);
    SCAN("7 8", "%*d %d", &x); printf(" %d\n", x);
    SCAN("+", "%d", &x); printf(" %d\n", x);
    SCAN("x", "%c", b); printf(" %c\n", b[0]);
    SCAN(" x", " %c", b); printf(" %c\n", b[0]);
    float f = 0;
    double d = 0;
    SCAN("1.5e2x", "%f", &f); printf(" %g\n", f);
    SCAN("-.5", "%lf", &d); printf(" %g\n", d);
    SCAN("nan", "%lf", &d); printf(" %d\n", isnan(d));
    return 0;
}
