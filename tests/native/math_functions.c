// The functions of <math.h> that programs use most, printed with ten digits.
#include <math.h>
#include <stdio.h>

int main(void) {
    const double values[] = {0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 3.75, 10.0, 48.5, 1000.0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double x = values[i], whole;
        int exponent;
        printf("%g: %.10g %.10g %.10g %.10g\n", x, sin(x), cos(x), tan(x), atan(x));
        printf("  %.10g %.10g %.10g %.10g\n", exp(-x), log(x + 1), log2(x + 1), log10(x + 1));
        printf("  %.10g %.10g %.10g\n", sqrt(x), pow(x, 1.5), pow(2, -x));
        printf("  %g %g %g %g %g %g\n", floor(-x), ceil(-x), trunc(-x), round(x), rint(x), nearbyint(-x));
        printf("  %g %g %g\n", fmod(x, 0.7), fabs(-x), copysign(x, -1));
        double fraction = frexp(-x, &exponent), rest = modf(-x, &whole);
        printf("  %g %d %g %g\n", fraction, exponent, rest, whole);
        printf("  %g %g\n", ldexp(x, 5), scalbn(x, -2));
        printf("  %ld %ld\n", lround(x), lrint(x));
        if (x <= 1)
            printf("  %.10g %.10g\n", asin(x), acos(x));
    }
    printf("%.10g %.10g %.10g\n", atan2(1, -1), atan2(-1, -1), atan2(0, 1));
    printf("%.7g %.7g %.7g %.7g\n", sinf(0.5f), sqrtf(2), powf(2, 0.5f), floorf(-0.5f));
    printf("%d %d %d %d\n", isnan(NAN) != 0, isinf(-INFINITY) != 0, isfinite(1.0) != 0, signbit(-0.0) != 0);
    printf("%g %g %g\n", fmin(1, NAN), fmax(NAN, 2), pow(0, 0));
    printf("%d %d\n", isnan(sqrt(-1)) != 0, isinf(log(0)) != 0);
    return 0;
}
