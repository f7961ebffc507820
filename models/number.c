/* Numbers from text: atoi, strtol, strtod and their kin. */
#include "internal.h"
#include <limits.h>

TP_ALL_DO("signal-safe")

static _Bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A') + 10;
    return 99;
}

struct number {
    unsigned long long magnitude;
    _Bool negative;
    _Bool too_large; /* for the magnitude */
};

/* The length of a prefix "0x" or "0b"; it belongs to the number only if a digit follows. */
static size_t prefix(const char *s, unsigned base, char letter)
{
    return s[0] == '0' && (s[1] | 32) == letter && digit_of(s[2]) < base ? 2 : 0;
}

/* C11 7.22.1.4: blanks, a sign, a prefix that determines the base if that is 0, digits. *end is behind the number, or
 * the start if there is none. `binary`: C23's 0b is a prefix. */
static struct number parse(const char *text, char **end, int base, _Bool binary)
{
    struct number number = {0, 0, 0};
    const char *s = text;
    while (is_space(*s))
        s++;
    if (*s == '+' || *s == '-')
        number.negative = *s++ == '-';
    size_t hexadecimal = base == 0 || base == 16 ? prefix(s, 16, 'x') : 0;
    size_t binary_prefix = binary && (base == 0 || base == 2) ? prefix(s, 2, 'b') : 0;
    if (base == 0)
        base = hexadecimal ? 16 : binary_prefix ? 2 : *s == '0' ? 8 : 10;
    s += hexadecimal + binary_prefix;
    const char *digits = s;
    unsigned digit;
    while ((digit = digit_of(*s)) < (unsigned)base) {
        unsigned long long shifted;
        if (__builtin_mul_overflow(number.magnitude, (unsigned long long)base, &shifted) ||
            __builtin_add_overflow(shifted, (unsigned long long)digit, &number.magnitude))
            number.too_large = 1;
        s++;
    }
    if (end)
        *end = (char *)(s == digits ? text : s);
    return number;
}

static _Bool bad_base(const char *text, char **end, int base)
{
    if (base == 0 || (base >= 2 && base <= 36))
        return 0;
    if (end)
        *end = (char *)text;
    errno = EINVAL;
    return 1;
}

static long long to_signed(const char *text, char **end, int base, _Bool binary, unsigned long long largest)
{
    if (bad_base(text, end, base))
        return 0;
    struct number n = parse(text, end, base, binary);
    unsigned long long limit = n.negative ? largest + 1 : largest;
    if (n.too_large || n.magnitude > limit) {
        errno = ERANGE;
        n.magnitude = limit;
    }
    return (long long)(n.negative ? 0 - n.magnitude : n.magnitude);
}

static unsigned long long to_unsigned(const char *text, char **end, int base, _Bool binary, unsigned long long largest)
{
    if (bad_base(text, end, base))
        return 0;
    struct number n = parse(text, end, base, binary);
    if (n.too_large || n.magnitude > largest) {
        errno = ERANGE;
        return largest;
    }
    return n.negative ? 0 - n.magnitude : n.magnitude;
}

/* C11 7.22.1.4: the number at the start of a text in a base; ERANGE and the nearest value when the type cannot hold it.
 * The __isoc23_ names are what newer headers call. */
#define SIGNED(name, type, largest)                                                                                    \
    type name(const char *restrict text, char **restrict end, int base)                                                \
    {                                                                                                                  \
        return (type)to_signed(text, end, base, 0, largest);                                                           \
    }                                                                                                                  \
    type __isoc23_##name(const char *restrict text, char **restrict end, int base)                                     \
    {                                                                                                                  \
        return (type)to_signed(text, end, base, 1, largest);                                                           \
    }
#define UNSIGNED(name, type, largest)                                                                                  \
    type name(const char *restrict text, char **restrict end, int base)                                                \
    {                                                                                                                  \
        return (type)to_unsigned(text, end, base, 0, largest);                                                         \
    }                                                                                                                  \
    type __isoc23_##name(const char *restrict text, char **restrict end, int base)                                     \
    {                                                                                                                  \
        return (type)to_unsigned(text, end, base, 1, largest);                                                         \
    }
SIGNED(strtol, long, LONG_MAX)
SIGNED(strtoll, long long, LLONG_MAX)
SIGNED(strtoimax, long long, LLONG_MAX)
UNSIGNED(strtoul, unsigned long, ULONG_MAX)
UNSIGNED(strtoull, unsigned long long, ULLONG_MAX)
UNSIGNED(strtoumax, unsigned long long, ULLONG_MAX)

/* C11 7.22.1.2: as strtol in base ten, without the end. */
int atoi(const char *text)
{
    return (int)strtol(text, 0, 10);
}

long atol(const char *text)
{
    return strtol(text, 0, 10);
}

long long atoll(const char *text)
{
    return strtoll(text, 0, 10);
}

/* Whether the number that a text starts with overflows, or underflows inexactly. A decimal number below the smallest
 * normal one counts as inexact; a hexadecimal one as exact, unless it is rounded to zero. */
static _Bool is_out_of_range(const char *s, double value)
{
    while (is_space(*s) || *s == '+' || *s == '-')
        s++;
    if (value > __DBL_MAX__ || value < -__DBL_MAX__)
        return (*s | 32) != 'i';
    if (value >= __DBL_MIN__ || value <= -__DBL_MIN__ || value != value)
        return 0;
    _Bool hexadecimal = *s == '0' && (s[1] | 32) == 'x';
    if (hexadecimal)
        s += 2;
    for (; (*s >= '0' && *s <= '9') || *s == '.' || (hexadecimal && ((*s | 32) >= 'a' && (*s | 32) <= 'f')); s++)
        if (*s != '0' && *s != '.')
            return value == 0 || !hexadecimal;
    return 0;
}

/* C11 7.22.1.3: the floating-point number at the start of a text. */
double strtod(const char *restrict text, char **restrict end)
{
    int consumed;
    double value = __tp_parse_double(text, &consumed);
    if (end)
        *end = (char *)text + consumed;
    if (consumed > 0 && is_out_of_range(text, value))
        errno = ERANGE;
    return value;
}

float strtof(const char *restrict text, char **restrict end)
{
    double value = strtod(text, end);
    float nearest = (float)value;
    if (value >= -__DBL_MAX__ && value <= __DBL_MAX__ && value != 0
        && (__builtin_isinf(nearest) || (nearest != value && nearest < __FLT_MIN__ && nearest > -__FLT_MIN__)))
        errno = ERANGE;
    return nearest;
}

/* C11 7.22.1.1: as strtod, without the end. */
double atof(const char *text)
{
    return strtod(text, 0);
}

TP_END
