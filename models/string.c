/* The str* functions of <string.h> and <strings.h>, in the C locale. */
#include "internal.h"

TP_ALL_DO("signal-safe")

size_t __tpm_strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

/* C11 7.24.6.3: the number of characters before the terminator. */
size_t strlen(const char *s)
{
    return __tpm_strlen(s);
}

/* POSIX strnlen: as strlen, but looks at n characters at most. */
size_t strnlen(const char *s, size_t limit)
{
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

/* C11 7.24.2.3: copies a string with its terminator. */
char *strcpy(char *restrict to, const char *restrict from)
{
    __builtin_memcpy(to, from, __tpm_strlen(from) + 1);
    return to;
}

/* POSIX stpcpy: as strcpy; the result is the copy's terminator. */
char *stpcpy(char *restrict to, const char *restrict from)
{
    size_t n = __tpm_strlen(from);
    __builtin_memcpy(to, from, n + 1);
    return to + n;
}

/* C11 7.24.2.4: copies at most n characters, and fills up to n with zeros. */
char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t length = strnlen(from, n);
    __builtin_memcpy(to, from, length);
    __builtin_memset(to + length, 0, n - length);
    return to;
}

/* POSIX stpncpy: as strncpy; the result is behind the characters copied. */
char *stpncpy(char *restrict to, const char *restrict from, size_t n)
{
    strncpy(to, from, n);
    return to + strnlen(to, n);
}

/* The C library's strlcpy: copies as much as fits into n bytes with a terminator; the result is the source's length. */
size_t strlcpy(char *restrict to, const char *restrict from, size_t n)
{
    size_t length = __tpm_strlen(from);
    if (n > 0) {
        size_t copied = length < n ? length : n - 1;
        __builtin_memcpy(to, from, copied);
        to[copied] = 0;
    }
    return length;
}

/* C11 7.24.3.1: appends a string. */
char *strcat(char *restrict to, const char *restrict from)
{
    strcpy(to + __tpm_strlen(to), from);
    return to;
}

/* C11 7.24.3.2: appends at most n characters and a terminator. */
char *strncat(char *restrict to, const char *restrict from, size_t n)
{
    char *end = to + __tpm_strlen(to);
    size_t length = strnlen(from, n);
    __builtin_memcpy(end, from, length);
    end[length] = 0;
    return to;
}

/* The C library's strlcat: appends as much as fits into n bytes in all; the result is the length it tried to make. */
size_t strlcat(char *restrict to, const char *restrict from, size_t n)
{
    size_t length = strnlen(to, n);
    return length + strlcpy(to + length, from, n - length);
}

/* C11 7.24.4.4: as strcmp, but looks at n characters at most. */
int strncmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y || x == 0)
            return x - y;
    }
    return 0;
}

/* C11 7.24.4.2: compares strings as unsigned characters; negative, zero or positive. */
int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, (size_t)-1);
}

/* C11 7.24.4.3: compares by the rules of the locale, which are those of strcmp here. */
int strcoll(const char *a, const char *b)
{
    return strcmp(a, b);
}

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* POSIX strncasecmp: as strncmp, letters of both cases being equal. */
int strncasecmp(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char x = lower(a[i]), y = lower(b[i]);
        if (x != y || x == 0)
            return x - y;
    }
    return 0;
}

/* POSIX strcasecmp: as strcmp, letters of both cases being equal. */
int strcasecmp(const char *a, const char *b)
{
    return strncasecmp(a, b, (size_t)-1);
}

/* The C library's strchrnul: the first c, or the terminator. */
char *strchrnul(const char *s, int c)
{
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

/* C11 7.24.5.2: the first c, which may be the terminator, or null. */
char *strchr(const char *s, int c)
{
    char *p = strchrnul(s, c);
    return *p == (char)c ? p : 0;
}

/* C11 7.24.5.5: the last c, which may be the terminator, or null. */
char *strrchr(const char *s, int c)
{
    size_t i = __tpm_strlen(s) + 1;
    while (i-- > 0)
        if (s[i] == (char)c)
            return (char *)s + i;
    return 0;
}

/* The old names of strchr and strrchr. */
char *index(const char *s, int c)
{
    return strchr(s, c);
}

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

/* How many characters at the start are in the set (wanted) or are not. */
static size_t span(const char *s, const char *set, _Bool wanted)
{
    size_t n = 0;
    while (s[n] && (*strchrnul(set, s[n]) != 0) == wanted)
        n++;
    return n;
}

/* C11 7.24.5.6: the length of the start that consists of characters of the set. */
size_t strspn(const char *s, const char *set)
{
    return span(s, set, 1);
}

/* C11 7.24.5.3: the length of the start that has no character of the set. */
size_t strcspn(const char *s, const char *set)
{
    return span(s, set, 0);
}

/* C11 7.24.5.4: the first character that is in the set, or null. */
char *strpbrk(const char *s, const char *set)
{
    s += span(s, set, 0);
    return *s ? (char *)s : 0;
}

/* C11 7.24.5.7: the first place where the second string occurs in the first, or null. */
char *strstr(const char *s, const char *part)
{
    size_t n = __tpm_strlen(part);
    for (;; s++) {
        if (strncmp(s, part, n) == 0)
            return (char *)s;
        if (!*s)
            return 0;
    }
}

/* The C library's strcasestr: as strstr, letters of both cases being equal. */
char *strcasestr(const char *s, const char *part)
{
    size_t n = __tpm_strlen(part);
    for (;; s++) {
        if (strncasecmp(s, part, n) == 0)
            return (char *)s;
        if (!*s)
            return 0;
    }
}

/* POSIX strtok_r: the next part of a string between characters of the set; the string is cut there. */
char *strtok_r(char *restrict s, const char *restrict set, char **restrict rest)
{
    if (!s)
        s = *rest;
    s += span(s, set, 1);
    if (!*s) {
        *rest = s;
        return 0;
    }
    char *end = s + span(s, set, 0);
    *rest = *end ? end + 1 : end;
    *end = 0;
    return s;
}

/* glibc's name of it inside its headers. */
char *__strtok_r(char *restrict s, const char *restrict set, char **restrict rest)
{
    return strtok_r(s, set, rest);
}

TP_END

/* C11 7.24.5.8: as strtok_r; the rest is remembered in a variable that all threads share. */
char *strtok(char *restrict s, const char *restrict set)
{
    static char *rest;
    return strtok_r(s, set, &rest);
}

/* The C library's strsep: as strtok_r, but two separators in a row have an empty part between them. */
TP_DOES("signal-safe")
char *strsep(char **restrict rest, const char *restrict set)
{
    char *s = *rest;
    if (!s)
        return 0;
    char *end = s + span(s, set, 0);
    *rest = *end ? end + 1 : 0;
    *end = 0;
    return s;
}

/* POSIX strndup: a copy on the heap of at most n characters. */
TP_DOES("can-fail")
char *strndup(const char *s, size_t n)
{
    size_t length = strnlen(s, n);
    char *copy = __tpm_malloc(length + 1);
    __builtin_memcpy(copy, s, length);
    copy[length] = 0;
    return copy;
}

/* POSIX strdup: a copy on the heap. */
TP_DOES("can-fail")
char *strdup(const char *s)
{
    size_t size = __tpm_strlen(s) + 1;
    return __builtin_memcpy(__tpm_malloc(size), s, size);
}

/* glibc's name of it inside its headers. */
char *__strdup(const char *s)
{
    return strdup(s);
}
