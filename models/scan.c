/* The formats of scanf (C11 7.21.6.2), over a string. Reading from standard input is in read.c. */
#include "scan.h"

static _Bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* `f` is behind the '['; the result is behind the ']'. */
static const char *read_set(const char *f, struct __tpm_conversion *c)
{
    c->inverted = *f == '^';
    if (c->inverted)
        f++;
    c->set = f;
    if (*f == ']')
        f++;
    while (*f && *f != ']')
        f++;
    c->set_end = f;
    return *f ? f + 1 : f;
}

const char *__tpm_read_conversion(const char *f, struct __tpm_conversion *c)
{
    *c = (struct __tpm_conversion){0};
    c->size = sizeof(int);
    c->store = *f != '*';
    if (!c->store)
        f++;
    while (*f >= '0' && *f <= '9')
        c->width = c->width * 10 + (*f++ - '0');
    if (*f == 'h') {
        c->size = f[1] == 'h' ? sizeof(char) : sizeof(short);
        f += f[1] == 'h' ? 2 : 1;
    } else if (*f == 'l') {
        c->is_long = 1;
        c->size = f[1] == 'l' ? sizeof(long long) : sizeof(long);
        f += f[1] == 'l' ? 2 : 1;
    } else if (*f == 'j' || *f == 'q' || *f == 'L') {
        c->is_long_double = *f == 'L';
        c->size = sizeof(long long);
        f++;
    } else if (*f == 'z' || *f == 't') {
        c->size = sizeof(size_t);
        f++;
    }
    c->letter = *f;
    if (!*f)
        return f;
    f++;
    return c->letter == '[' ? read_set(f, c) : f;
}

_Bool __tpm_in_set(const struct __tpm_conversion *c, char ch)
{
    if (c->letter == 's')
        return !is_space(ch);
    for (const char *s = c->set; s < c->set_end; s++) {
        _Bool range = s + 2 < c->set_end && s[1] == '-';
        if (range ? ch >= s[0] && ch <= s[2] : ch == *s)
            return !c->inverted;
        if (range)
            s += 2;
    }
    return c->inverted;
}

void __tpm_store_integer(void *to, int size, unsigned long long value)
{
    if (size == sizeof(char))
        *(char *)to = (char)value;
    else if (size == sizeof(short))
        *(short *)to = (short)value;
    else if (size == sizeof(int))
        *(int *)to = (int)value;
    else
        *(long long *)to = (long long)value;
}

static unsigned digit_of(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                  : 99;
}

/* Reads an integer of at most `width` characters; the result is behind it, or null if there is none. */
static const char *scan_integer(const char *s, const struct __tpm_conversion *c, unsigned long long *value)
{
    unsigned left = c->width ? (unsigned)c->width : (unsigned)-1;
    unsigned base = c->letter == 'x' || c->letter == 'X' || c->letter == 'p' ? 16
                    : c->letter == 'o'                                       ? 8
                    : c->letter == 'i'                                       ? 0
                                                                             : 10;
    _Bool negative = *s == '-';
    _Bool any = 0;
    if (*s == '-' || *s == '+') {
        s++;
        left--;
    }
    if (left > 0 && *s == '0' && (base == 0 || base == 16)) {
        any = 1;
        s++;
        left--;
        if (left > 0 && (*s | 32) == 'x') {
            base = 16;
            s++;
            left--;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    *value = 0;
    for (; left > 0 && digit_of(*s) < base; s++, left--) {
        *value = *value * base + digit_of(*s);
        any = 1;
    }
    if (negative)
        *value = 0 - *value;
    return any ? s : 0;
}

static const char *scan_float(const char *s, const struct __tpm_conversion *c, void *to)
{
    char limited[128];
    int consumed;
    double value;
    if (c->width > 0) {
        int n = 0;
        while (n < c->width && n < (int)sizeof limited - 1 && s[n]) {
            limited[n] = s[n];
            n++;
        }
        limited[n] = 0;
        value = __tp_parse_double(limited, &consumed);
    } else {
        value = __tp_parse_double(s, &consumed);
    }
    if (consumed == 0)
        return 0;
    if (to && c->is_long_double)
        scanf_conversion_without_model();
    else if (to && c->is_long)
        *(double *)to = value;
    else if (to)
        *(float *)to = (float)value;
    return s + consumed;
}

static const char *scan_characters(const char *s, const struct __tpm_conversion *c, char *to)
{
    int n = 0;
    int limit = c->width > 0 ? c->width : c->letter == 'c' ? 1 : __INT_MAX__;
    while (n < limit && s[n] && (c->letter == 'c' || __tpm_in_set(c, s[n]))) {
        if (to)
            to[n] = s[n];
        n++;
    }
    if (n == 0 || (c->letter == 'c' && n < limit))
        return 0;
    if (to && c->letter != 'c')
        to[n] = 0;
    return s + n;
}

static const char *scan_one(const char *s, const struct __tpm_conversion *c, void *to)
{
    switch (c->letter) {
    case 'c':
    case 's':
    case '[': return scan_characters(s, c, to);
    case 'a':
    case 'e':
    case 'f':
    case 'g':
    case 'A':
    case 'E':
    case 'F':
    case 'G': return scan_float(s, c, to);
    default: {
        unsigned long long value;
        s = scan_integer(s, c, &value);
        if (s && to)
            __tpm_store_integer(to, c->letter == 'p' ? (int)sizeof(void *) : c->size, value);
        return s;
    }
    }
}

/* C11 7.21.6.14: reads values from a string by a format. Returns the number of values stored, or EOF if the string ends
 * before the first. */
int __tpm_scan_text(const char *text, const char *format, va_list arguments, const char **behind)
{
    const char *s = text;
    int stored = 0;
    for (const char *f = format; *f;) {
        if (is_space(*f)) {
            while (is_space(*s))
                s++;
            *behind = *s ? s : 0;
            f++;
            continue;
        }
        struct __tpm_conversion c;
        if (*f != '%') {
            *behind = *s ? s : 0;
            if (*s != *f)
                return !*s && stored == 0 ? EOF : stored;
            *behind = ++s;
            f++;
            continue;
        }
        f = __tpm_read_conversion(f + 1, &c);
        if (c.letter == 'n') {
            if (c.store)
                __tpm_store_integer(va_arg(arguments, void *), c.size, (unsigned long long)(s - text));
            continue;
        }
        if (c.letter != 'c' && c.letter != '[')
            while (is_space(*s))
                s++;
        *behind = *s ? s : 0;
        if (c.letter == '%') {
            if (*s != '%')
                return !*s && stored == 0 ? EOF : stored;
            *behind = ++s;
            continue;
        }
        if (!*s)
            return stored == 0 ? EOF : stored;
        s = scan_one(s, &c, c.store ? va_arg(arguments, void *) : 0);
        if (!s)
            return stored;
        *behind = *s || c.letter == 'c' ? s : 0;
        stored += c.store;
    }
    return stored;
}

static int scan_text(const char *text, const char *format, va_list arguments)
{
    const char *behind = text;
    return __tpm_scan_text(text, format, arguments, &behind);
}

/* C11 7.21.6.7: the same with the arguments themselves, and the names that glibc's headers give it. */
#define SSCANF(name)                                                                                                   \
    int name(const char *text, const char *format, ...)                                                                \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int stored = scan_text(text, format, arguments);                                                               \
        va_end(arguments);                                                                                             \
        return stored;                                                                                                 \
    }
SSCANF(sscanf)
SSCANF(__isoc99_sscanf)
SSCANF(__isoc23_sscanf)

int vsscanf(const char *text, const char *format, va_list arguments)
{
    return TAKE_FROM(arguments, scan_text(text, format, arguments));
}

int __isoc99_vsscanf(const char *text, const char *format, va_list arguments)
{
    return vsscanf(text, format, arguments);
}

int __isoc23_vsscanf(const char *text, const char *format, va_list arguments)
{
    return vsscanf(text, format, arguments);
}
