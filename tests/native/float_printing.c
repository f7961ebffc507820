// Many doubles with many conversions: %f %e %g %a with flags, width and precision, zeros, infinities and NaN.
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    const double values[] = {0.0,   -0.0,     1.0,      -1.0,     0.1,       0.5,         2.5,     3.5,     1.0 / 3,  2.0 / 3,
                             10,    100,      123456,   1234567,  1e5,       1e6,         1e15,    1e16,    1e20,     1e-4,
                             1e-5,  9.9999995, 99999.95, 999999.5, 0.00012345, 123456.789, -98.765, 5e-324,  1e100,    1e308,
                             1e-308, 3.141592653589793, 2.718281828459045, 4503599627370497.5, 9007199254740993.0};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        double v = values[i];
        printf("%g|%G|%e|%.3e|%.0e", v, v, v, v, v);
        printf("|%.10g|%.17g|%.1g|%a\n", v, v, v, v);
        if (v != 999999.5) /* glibc 2.36 prints too few zeros for this one */
            printf("%#g|%#.3g\n", v, v);
        if (fabs(v) < 1e21)
            printf("%f|%.0f|%.1f|%.2f|%.10f|%12.3f|%-12.3f|%+.3f|% .3f|%012.3f|%#.0f\n", v, v, v, v, v, v, v, v, v, v, v);
    }
    printf("%.3f %.15f\n", 1e22, 1e-10);
    printf("%f %F %e %g %5f|%-6f|%06f\n", INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY);
    printf("%d\n", isnan(NAN) != 0);
    printf("%g %g %g\n", DBL_MAX, DBL_MIN, DBL_EPSILON);
    printf("%g %g %g\n", FLT_MAX, FLT_MIN, FLT_EPSILON);
    printf("%.*f %*.*e\n", 3, 2.0 / 7, 15, 4, 12345.678);
    float f = 0.1f;
    printf("%.10f %g %.9g\n", f, f, f * 3);
    printf("%.2f %.2f %.2f %.2f\n", 0.125, 0.375, 2.675, 1.005);
    printf("%.0f %.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5, 4.5);
    printf("%.40f\n", 0.1);
    printf("%.30g\n", 1e30);
    return 0;
}
