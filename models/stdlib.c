/* What is left of <stdlib.h>: absolute values, division with remainder; and bits of <strings.h>. */
#include "internal.h"

TP_ALL_DO("signal-safe")

/* C11 7.22.6.1: the absolute value. That of the least number does not exist: reported as overflow. */
int abs(int n)
{
    return n < 0 ? -n : n;
}

long labs(long n)
{
    return n < 0 ? -n : n;
}

long long llabs(long long n)
{
    return n < 0 ? -n : n;
}

long long imaxabs(long long n)
{
    return n < 0 ? -n : n;
}

/* C11 7.22.6.2: quotient and remainder in one. */
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

div_t div(int a, int b)
{
    return (div_t){a / b, a % b};
}

ldiv_t ldiv(long a, long b)
{
    return (ldiv_t){a / b, a % b};
}

lldiv_t lldiv(long long a, long long b)
{
    return (lldiv_t){a / b, a % b};
}

/* POSIX ffs: the place of the lowest bit that is set, counted from 1, or 0. */
int ffsll(long long n)
{
    for (int i = 0; i < 64; i++)
        if ((unsigned long long)n >> i & 1)
            return i + 1;
    return 0;
}

int ffs(int n)
{
    return ffsll(n);
}

int ffsl(long n)
{
    return ffsll(n);
}

TP_END
