// float and double arithmetic: rounding, conversion, comparison, special values, and single against double precision.
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned bits_of(float f) {
    unsigned u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static unsigned long long bits_of_double(double d) {
    unsigned long long u;
    memcpy(&u, &d, sizeof u);
    return u;
}

static double root(double x) {
    double guess = x > 1 ? x / 2 : 1;
    for (int i = 0; i < 30; i++)
        guess = (guess + x / guess) / 2;
    return guess;
}

int main(void) {
    float a = 16777216.0f, b = 0.1f, c = 3.0f;
    printf("%08x %08x %08x %08x\n", bits_of(a + 1.0f), bits_of(b + b + b), bits_of(1.0f / c), bits_of(b * c));
    double x = 0.1, y = 0.2, z = 1e300;
    printf("%016llx %016llx\n", bits_of_double(x + y), bits_of_double(1.0 / 3.0));
    printf("%d %d %d\n", x + y == 0.3, (float)x == x, b == (float)0.1);
    printf("%g %g %g\n", z * z, -z * z, z * z - z * z == 0 ? 1.0 : 2.0);
    double zero = 0.0, nan = zero / zero;
    printf("%d %d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan > 1, !(nan >= 1), isnan(nan) != 0);
    printf("%g %g %d\n", 1 / zero, -1 / zero, zero == -zero);
    printf("%d %d %d %d\n", (int)3.99, (int)-3.99, (int)2.5f, (unsigned char)200.7);
    printf("%lld %u %d\n", (long long)1e18, (unsigned)4e9, (short)-1234.5);
    printf("%.1f %.1f %.1f\n", (double)0xffffffffu, (double)-5LL, (double)0xffffffffffffffffULL);
    printf("%.1f %.1f\n", (float)16777217, (float)0x7fffffff);
    printf("%.17g %.17g\n", root(2), root(10));
    printf("%g %g %g %g\n", floor(-2.5), ceil(-2.5), trunc(-2.5), round(-2.5));
    printf("%g %g %g\n", fabs(-1.25), sqrt(2.25), fmod(7.5, 2));
    printf("%g %g %g\n", fmin(1, 2), fmax(1, 2), copysign(3, -0.0));
    double sum = 0;
    for (int i = 1; i <= 1000; i++)
        sum += 1.0 / i;
    float fsum = 0;
    for (int i = 1; i <= 1000; i++)
        fsum += 1.0f / (float)i;
    printf("%.15f %.9f\n", sum, fsum);
    float half = 1.5f;
    half *= 2;
    half -= 0.5;
    half++;
    printf("%g %g\n", half, half / 3 * 3);
    int i = 7;
    i *= 1.5;
    i += 0.9;
    printf("%d %g\n", i, 7 / 2 + 7 / 2.0);
    printf("%d %d\n", signbit(-0.0) != 0, isinf(1 / zero) != 0);
    printf("%d\n", (x > y) + (x < y) * 2 + (x >= x) * 4 + (x <= y) * 8);
    return 0;
}
