// strtol, strtod, atoi, div and their families; rand_r.
#include "calls.h"
#include <inttypes.h>
#include <math.h>

static void reals(const char *text) {
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    printf("call strtod(\"%s\") = %.17g, %d read, errno %d\n", text, value, (int)(end - text), errno);
    errno = 0;
    float single = strtof(text, &end);
    printf("call strtof(\"%s\") = %.9g, %d read, errno %d\n", text, single, (int)(end - text), errno);
    printf("call atof(\"%s\") = %.17g\n", text, atof(text));
}

static void integers(const char *text, int base) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, base);
    printf("call strtoll(\"%s\", %d) = %lld, %d read, errno %d\n", text, base, value, (int)(end - text), errno);
    errno = 0;
    unsigned long long number = strtoull(text, &end, base);
    printf("call strtoull(\"%s\", %d) = %llu, %d read, errno %d\n", text, base, number, (int)(end - text), errno);
}

int main(void) {
    const char *texts[] = {"1e-400", "1e-310", "0", "-0", "0e-999", "1e400", "-1e400", "inf", "INFINITY", "-nan", "nan(12)", "nan(",
                           "0x1p-1074", "0x1p-1080", "0x1p99999999999", "0x1p-99999999999", "0x.8p1", "0x", "0xg", "1e-307",
                           "4.9e-324", "  -3e-320x", ".", "1e", "1e+", "-.5", "+1.e2", "1e38", "1e39", "1e-45", "1e-46",
                           "2.2250738585072014e-308", "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880"};
    for (size_t i = 0; i < COUNT(texts); i++)
        reals(texts[i]);
    const char *whole[] = {"", "-", "0x", "0b11", "010", "-0x8000000000000000", "9223372036854775808", "-9223372036854775809",
                           "18446744073709551616", "-1", "zz", " \v\f12", "1_0"};
    for (size_t i = 0; i < COUNT(whole); i++) {
        integers(whole[i], 0);
        integers(whole[i], 10);
        integers(whole[i], 36);
    }
    FAILS(strtol("1", NULL, 1));
    FAILS(strtol("1", NULL, 37));
    FAILS(strtol("1", NULL, -1));
    FAILS(strtoimax("99999999999999999999", NULL, 10));
    LONG(strtoumax("-1", NULL, 10));
    INT(atoi("  -12x"));
    INT(atoi(""));
    LONG(atol("2147483647"));
    LONG(atoll("-9223372036854775808"));
    INT(div(-7, 2).quot);
    INT(div(-7, 2).rem);
    LONG(ldiv(7, -2).quot);
    LONG(lldiv(-7, -2).rem);
    INT(abs(-5));
    LONG(llabs(-9223372036854775807ll));
    unsigned state = 0;
    for (int i = 0; i < 5; i++)
        INT(rand_r(&state));
    state = 4294967295u;
    INT(rand_r(&state));
    LONG(state);
    const char *texts_of_nan[] = {"", "1", "0x10", "abc", "1x", "0xfffffffffffff"};
    for (size_t i = 0; i < COUNT(texts_of_nan); i++) {
        double value = nan(texts_of_nan[i]);
        unsigned long long bits;
        memcpy(&bits, &value, sizeof bits);
        printf("call nan(\"%s\") = %llx\n", texts_of_nan[i], bits);
    }
    return 0;
}
