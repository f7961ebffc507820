/* The mem* functions of <string.h>. */
#include "internal.h"

TP_ALL_DO("signal-safe")

/* C11 7.24.2.1: copies bytes between objects that do not overlap. */
void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    return __builtin_memcpy(to, from, n);
}

/* C11 7.24.2.2: copies bytes; the objects may overlap. */
void *memmove(void *to, const void *from, size_t n)
{
    return __builtin_memmove(to, from, n);
}

/* The C library's mempcpy: as memcpy; the result is the end of the copy. */
void *mempcpy(void *restrict to, const void *restrict from, size_t n)
{
    __builtin_memcpy(to, from, n);
    return (char *)to + n;
}

/* POSIX memccpy: copies bytes up to and with the first c; the result is behind it, or null. */
void *memccpy(void *restrict to, const void *restrict from, int c, size_t n)
{
    char *t = to;
    const char *f = from;
    for (size_t i = 0; i < n; i++) {
        t[i] = f[i];
        if (t[i] == (char)c)
            return t + i + 1;
    }
    return 0;
}

/* C11 7.24.6.1: sets bytes to a value. */
void *memset(void *to, int byte, size_t n)
{
    return __builtin_memset(to, byte, n);
}

/* POSIX bzero: sets bytes to zero. */
void bzero(void *to, size_t n)
{
    __builtin_memset(to, 0, n);
}

/* The C library's explicit_bzero: sets bytes to zero. */
void explicit_bzero(void *to, size_t n)
{
    __builtin_memset(to, 0, n);
}

/* POSIX bcopy: as memmove, with source and target swapped. */
void bcopy(const void *from, void *to, size_t n)
{
    __builtin_memmove(to, from, n);
}

/* C11 7.24.4.1: compares bytes as unsigned; negative, zero or positive. */
TP_DOES("compare-bytes")
int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++) {
        unsigned char u = x[i], v = y[i];
        if (u != v)
            return u - v;
    }
    return 0;
}

/* POSIX bcmp: zero if the bytes are the same. */
int bcmp(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n);
}

/* C11 7.24.5.1: the first byte that equals c, or null. */
void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return 0;
}

/* The C library's memrchr: the last byte that equals c, or null. */
void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    while (n-- > 0)
        if (p[n] == (unsigned char)c)
            return (void *)(p + n);
    return 0;
}

/* The C library's memmem: the first place where the second block of bytes occurs in the first, or null. */
void *memmem(const void *s, size_t n, const void *part, size_t m)
{
    const char *p = s;
    for (size_t i = 0; m <= n && i <= n - m; i++)
        if (memcmp(p + i, part, m) == 0)
            return (void *)(p + i);
    return 0;
}

TP_END
