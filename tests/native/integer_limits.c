// The limits of the integer types, and arithmetic close to them.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("%d %d %d\n", CHAR_BIT, SCHAR_MIN, UCHAR_MAX);
    printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%d %d %d %d %d\n", (int)sizeof(char), (int)sizeof(short), (int)sizeof(int), (int)sizeof(long),
           (int)sizeof(long long));
    printf("%d %d %d %d\n", (int)sizeof(float), (int)sizeof(double), (int)sizeof(void *), (int)sizeof(size_t));
    printf("%d %d %d\n", INT_MIN / 2, INT_MIN % 10, INT_MAX / -1);
    printf("%d %d %d %d\n", 7 / 2, -7 / 2, 7 / -2, -7 / -2);
    printf("%d %d %d %d\n", 7 % 2, -7 % 2, 7 % -2, -7 % -2);
    unsigned u = UINT_MAX;
    printf("%u %u %u\n", u * u, u + u, u / 3);
    unsigned long long w = ULLONG_MAX;
    printf("%llu %llu %llu\n", w * w, w - 5, w / 10);
    long long m = LLONG_MIN;
    printf("%lld %lld %lld\n", m / 10, m % 10, m + LLONG_MAX);
    printf("%llx %llx\n", (unsigned long long)m, (unsigned long long)-1234567890123LL);
    int8_t i8 = INT8_MAX;
    int16_t i16 = INT16_MIN;
    printf("%d %d\n", i8 + 1, i16 - 1);
    printf("%d %d\n", (int)(INTPTR_MAX == PTRDIFF_MAX), (int)(SIZE_MAX == UINTPTR_MAX));
    return 0;
}
