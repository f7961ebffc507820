// strtol and its family: bases, prefixes, white space, limits, errno and the end pointer.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void signed_number(const char *text, int base) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, base);
    printf("strtol(\"%s\", %d) = %ld, %d read, errno %s\n", text, base, value, (int)(end - text),
           errno == ERANGE ? "ERANGE" : errno ? "other" : "0");
}

static void long_number(const char *text, int base) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, base);
    unsigned long long u = strtoull(text, NULL, base);
    printf("\"%s\" %d: %lld %llu, %d read, %d\n", text, base, value, u, (int)(end - text), errno == ERANGE);
}

static void real_number(const char *text) {
    char *end;
    double value = strtod(text, &end);
    printf("strtod(\"%s\") = %.17g, %d read\n", text, value, (int)(end - text));
}

int main(void) {
    const char *texts[] = {"0", "42", "-42", "+7", "  \t\n12", "", " ", "-", "+-1", "12abc", "0x1F", "0x", "0xg", "x1", "010",
                           "08", "zz", "1 2", "--5", "2147483647", "2147483648", "-2147483648", "-2147483649", "99999999999999999999",
                           "-99999999999999999999", "7fffffff"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        signed_number(texts[i], 10);
        signed_number(texts[i], 0);
        signed_number(texts[i], 16);
    }
    signed_number("zZ", 36);
    signed_number("1012", 2);
    signed_number("789", 8);
    const char *wide[] = {"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "-1",
                          "18446744073709551615", "18446744073709551616", "0xffffffffffffffff"};
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        long_number(wide[i], 0);
    printf("%lu %d\n", strtoul("4294967295", NULL, 10), strtoul("-1", NULL, 10) == (unsigned long)-1);
    printf("%d %ld %lld\n", atoi("  +123xyz"), atol("-17"), atoll("12345678901"));
    const char *reals[] = {"0", "1.5", "-2.25e3", ".5", "5.", "1e", "1e+", "1e5x", "  3.14 ", "0x1.8p1", "inf", "-INFINITY",
                           "abc", "1e400", "1e-400", "123456789012345678901234567890", "0.1", "2.2250738585072014e-308"};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        real_number(reals[i]);
    printf("%g\n", atof("6.02e23"));
    return 0;
}
