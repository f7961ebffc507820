// run: --runs 1
// atoi and strtol with signs, bases, prefixes, limits and garbage.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
    char *end;
    assert(atoi(" -42x") == -42 && atol("7") == 7 && atoll("-8") == -8);
    assert(strtol("0x1fz", &end, 0) == 31 && *end == 'z');
    assert(strtol("077", NULL, 0) == 63 && strtol("zz", NULL, 36) == 35 * 36 + 35);
    assert(strtol("none", &end, 10) == 0 && *end == 'n');
    errno = 0;
    assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
    assert(strtoul("-1", NULL, 10) == ULONG_MAX);
    assert(strtoll("-9223372036854775808", NULL, 10) == LLONG_MIN);
    assert(strtod("2.5e1", NULL) == 25.0 && atof("-0.5") == -0.5);
    assert(abs(-3) == 3 && labs(-4L) == 4);
    div_t d = div(17, -5);
    assert(d.quot == -3 && d.rem == 2);
    return 0;
}
