/* Functions of <math.h> (C11 7.12). errno is not set. Most are one operation of the program. */
#include "internal.h"

TP_ALL_DO("signal-safe")

#define ONE(name, builtin)                                                                                             \
    double name(double x)                                                                                              \
    {                                                                                                                  \
        return builtin(x);                                                                                             \
    }                                                                                                                  \
    float name##f(float x)                                                                                             \
    {                                                                                                                  \
        return builtin(x);                                                                                             \
    }
ONE(fabs, __builtin_elementwise_abs)
ONE(sqrt, __builtin_elementwise_sqrt)
ONE(floor, __builtin_elementwise_floor)
ONE(ceil, __builtin_elementwise_ceil)
ONE(trunc, __builtin_elementwise_trunc)
ONE(round, __builtin_elementwise_round)
ONE(roundeven, __builtin_elementwise_roundeven)
ONE(rint, __builtin_elementwise_roundeven) /* the rounding mode is always to nearest */
ONE(nearbyint, __builtin_elementwise_roundeven)
ONE(sin, __builtin_elementwise_sin)
ONE(cos, __builtin_elementwise_cos)
ONE(tan, __builtin_elementwise_tan)
ONE(asin, __builtin_elementwise_asin)
ONE(acos, __builtin_elementwise_acos)
ONE(atan, __builtin_elementwise_atan)
ONE(exp, __builtin_elementwise_exp)
ONE(exp2, __builtin_elementwise_exp2)
ONE(log, __builtin_elementwise_log)
ONE(log2, __builtin_elementwise_log2)
ONE(log10, __builtin_elementwise_log10)

#define TWO(name, builtin)                                                                                             \
    double name(double x, double y)                                                                                    \
    {                                                                                                                  \
        return builtin(x, y);                                                                                          \
    }                                                                                                                  \
    float name##f(float x, float y)                                                                                    \
    {                                                                                                                  \
        return builtin(x, y);                                                                                          \
    }
TWO(pow, __builtin_elementwise_pow)
TWO(atan2, __builtin_elementwise_atan2)
TWO(fmod, __builtin_elementwise_fmod)
TWO(copysign, __builtin_elementwise_copysign)

/* C11 7.12.12: the smaller, the larger, the positive difference. fmin and fmax prefer a number to a NaN. */
#define SMALLER(x, y) (__builtin_isnan(x) ? y : __builtin_isnan(y) || x < y ? x : y)
#define LARGER(x, y) (__builtin_isnan(x) ? y : __builtin_isnan(y) || x > y ? x : y)
#define DIFFERENCE(x, y) (__builtin_isnan(x) || __builtin_isnan(y) ? x + y : x > y ? x - y : 0)
TWO(fmin, SMALLER)
TWO(fmax, LARGER)
TWO(fdim, DIFFERENCE)

/* C11 7.12.11.2: a quiet NaN. The text shows only in its bits: as in the C library, a number in the text becomes the
 * lowest ones. */
double nan(const char *text)
{
    unsigned long long strtoull(const char *restrict text, char **restrict end, int base);
    char *end;
    unsigned long long bits = *text ? strtoull(text, &end, 0) : 0;
    if (!*text || *end)
        bits = 0;
    bits = (bits & 0x7ffffffffffffull) | 0x7ff8000000000000ull;
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

float nanf(const char *text)
{
    return (float)nan(text);
}

/* C11 7.12.9.7, 7.12.9.5: rounded to an integer. */
#define TO_INTEGER(name, type, rounded)                                                                                \
    type name(double x)                                                                                                \
    {                                                                                                                  \
        return (type)rounded(x);                                                                                       \
    }                                                                                                                  \
    type name##f(float x)                                                                                              \
    {                                                                                                                  \
        return (type)rounded(x);                                                                                       \
    }
TO_INTEGER(lround, long, __builtin_elementwise_round)
TO_INTEGER(llround, long long, __builtin_elementwise_round)
TO_INTEGER(lrint, long, __builtin_elementwise_roundeven)
TO_INTEGER(llrint, long long, __builtin_elementwise_roundeven)

/* C11 7.12.6.12: the fraction, with the integer part stored. */
double modf(double x, double *integer)
{
    double whole = __builtin_elementwise_trunc(x);
    *integer = whole;
    return __builtin_elementwise_copysign(__builtin_isinf(x) ? 0 : x - whole, x);
}

float modff(float x, float *integer)
{
    double whole;
    float fraction = (float)modf(x, &whole);
    *integer = (float)whole;
    return fraction;
}

/* C11 7.12.6.4: a number of at least a half and less than 1, and a power of two, whose product is x. */
double frexp(double x, int *exponent)
{
    *exponent = 0;
    if (x == 0 || __builtin_isnan(x) || __builtin_isinf(x))
        return x;
    double size = __builtin_elementwise_abs(x);
    for (; size >= 1; size /= 2)
        ++*exponent;
    for (; size < 0.5; size *= 2)
        --*exponent;
    return __builtin_elementwise_copysign(size, x);
}

static double power_of_two(int n)
{
    double result = 1;
    for (; n > 0; n--)
        result *= 2;
    for (; n < 0; n++)
        result /= 2;
    return result;
}

/* C11 7.12.6.6: x times two to a power. Large powers take exact steps first, so that only the last one rounds. */
double ldexp(double x, int power)
{
    for (int i = 0; i < 2 && power > 1023; i++, power -= 1023)
        x *= 0x1p1023;
    for (int i = 0; i < 2 && power < -1022; i++, power += 969)
        x *= 0x1p-969;
    return x * power_of_two(power > 1023 ? 1023 : power < -1022 ? -1022 : power);
}

double scalbn(double x, int power)
{
    return ldexp(x, power);
}

/* Computed as a double, which holds every float exactly: only the conversion to float rounds. */
float ldexpf(float x, int power)
{
    return (float)ldexp(x, power < -1022 ? -1022 : power > 1023 ? 1023 : power);
}

float scalbnf(float x, int power)
{
    return ldexpf(x, power);
}

float frexpf(float x, int *exponent)
{
    return (float)frexp(x, exponent);
}

/* The C library's sincos: sine and cosine in one. */
void sincos(double x, double *sine, double *cosine)
{
    *sine = __builtin_elementwise_sin(x);
    *cosine = __builtin_elementwise_cos(x);
}

void sincosf(float x, float *sine, float *cosine)
{
    *sine = __builtin_elementwise_sin(x);
    *cosine = __builtin_elementwise_cos(x);
}

/* C11 7.12.3, as glibc's headers call them. */
int isnan(double x)
{
    return __builtin_isnan(x);
}

int isinf(double x)
{
    return __builtin_isinf_sign(x);
}

int __isnan(double x)
{
    return __builtin_isnan(x);
}

int __isnanf(float x)
{
    return __builtin_isnan(x);
}

int __isinf(double x)
{
    return __builtin_isinf_sign(x);
}

int __isinff(float x)
{
    return __builtin_isinf_sign(x);
}

int finite(double x)
{
    return __builtin_isfinite(x);
}

int __finite(double x)
{
    return __builtin_isfinite(x);
}

int __finitef(float x)
{
    return __builtin_isfinite(x);
}

int __signbit(double x)
{
    return __builtin_signbit(x);
}

int __signbitf(float x)
{
    return __builtin_signbit(x);
}

TP_END
