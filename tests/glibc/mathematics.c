// Functions of mathematics whose results are exact.
#include "calls.h"
#include <math.h>

int main(void) {
    const double values[] = {0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999999999999994, 4503599627370497.5, 1e300, -1e-310, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < COUNT(values); i++) {
        double x = values[i];
        int e = 0;
        double whole, fraction = modf(x, &whole);
        printf("call rounding of %g = %.17g %.17g %.17g %.17g %.17g\n", x, floor(x), ceil(x), trunc(x), round(x), rint(x));
        printf("call fabs(%g) = %.17g\n", x, fabs(x));
        if (!isnan(x))
            printf("call modf(%g) = %.17g %.17g\n", x, fraction, whole);
        if (isfinite(x)) {
            double m = frexp(x, &e);
            printf("call frexp(%g) = %.17g %d\n", x, m, e);
            printf("call ldexp(%g, -3) = %.17g\n", x, ldexp(x, -3));
        }
        printf("call classes of %g = %d%d%d%d\n", x, !!isnan(x), !!isinf(x), !!isfinite(x), !!signbit(isnan(x) ? 0 : x));
        for (size_t j = 0; j < COUNT(values); j += 3) {
            double y = values[j];
            printf("call fmin, fmax of %g, %g = %.17g %.17g\n", x, y, isnan(x) && isnan(y) ? 0 : fmin(x, y) + 0.0, isnan(x) && isnan(y) ? 0 : fmax(x, y) + 0.0);
        }
    }
    REAL(sqrt(2.0)); REAL(sqrt(0.0)); REAL(sqrt(INFINITY)); REAL(fmod(7.5, 2.0)); REAL(fmod(-7.5, 2.0)); REAL(fmod(1.0, INFINITY));
    LONG(lround(2.5)); LONG(lround(-2.5)); LONG(llround(1e15)); LONG(lrint(2.5)); REAL(copysign(3.0, -0.0)); REAL(fdim(3.0, 5.0));
    REAL(ldexp(1.0, -1074)); REAL(ldexp(1.0, 1024)); REAL(ldexp(1.0, -1080)); REAL(floorf(-1.5f)); REAL(sqrtf(2.0f));
    return 0;
}
