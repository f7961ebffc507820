/* C++: numbers as text (std::to_string, std::stoi and their kin). The rest of std::string is in libc++'s headers. */
#include "internal.h"

int snprintf(char *buffer, size_t size, const char *format, ...);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);

/* A std::string of libc++: a short one is its length, doubled, and its characters; a long one has its capacity plus 1, its
 * length, and where its characters are. */
struct string {
    union {
        struct {
            unsigned char twice_length;
            char text[3 * sizeof(size_t) - 1];
        } as_short;
        struct {
            size_t capacity;
            size_t length;
            char *text;
        } as_long;
    } is;
};

enum { LONGEST_SHORT = 3 * sizeof(size_t) - 2 };

static struct string string_of(const char *text, size_t length)
{
    struct string s;
    __builtin_memset(&s, 0, sizeof s);
    if (length <= LONGEST_SHORT) {
        s.is.as_short.twice_length = (unsigned char)(2 * length);
        __builtin_memcpy(s.is.as_short.text, text, length);
    } else {
        size_t capacity = (length + 16) & ~(size_t)15;
        s.is.as_long.capacity = capacity | 1;
        s.is.as_long.length = length;
        s.is.as_long.text = __tpm_new(capacity);
        __builtin_memcpy(s.is.as_long.text, text, length + 1);
    }
    return s;
}

static const char *text_of(const struct string *s)
{
    return s->is.as_short.twice_length & 1 ? s->is.as_long.text : s->is.as_short.text;
}

/* C++20 21.3.4: to_string(val) is what sprintf makes of it with %d, %u, %ld, %lu, %lld, %llu, %f. */
#define TO_STRING(letter, type, format)                                                                                      \
    struct string _ZNSt3__19to_stringE##letter(type value)                                                                   \
    {                                                                                                                        \
        char buffer[400];                                                                                                    \
        int length = snprintf(buffer, sizeof buffer, format, value);                                                         \
        return string_of(buffer, (size_t)length);                                                                            \
    }

TO_STRING(i, int, "%d")
TO_STRING(j, unsigned, "%u")
TO_STRING(l, long, "%ld")
TO_STRING(m, unsigned long, "%lu")
TO_STRING(x, long long, "%lld")
TO_STRING(y, unsigned long long, "%llu")
TO_STRING(f, float, "%f")
TO_STRING(d, double, "%f")

/* C++20 21.3.4: what strtol and its kin read, and how many characters they read. Without a number, and out of range, an
 * exception. */
static void finish(const char *text, const char *end, _Bool fits, size_t *read)
{
    if (end == text)
        __tp_unsupported("std::invalid_argument is thrown; exceptions are not followed");
    if (!fits)
        __tp_unsupported("std::out_of_range is thrown; exceptions are not followed");
    if (read)
        *read = (size_t)(end - text);
}

#define FROM_STRING(name, type, wide, ...)                                                                                   \
    type name(const struct string *s, size_t *read, int base)                                                                \
    {                                                                                                                        \
        const char *text = text_of(s);                                                                                       \
        char *end;                                                                                                           \
        int before = errno;                                                                                                  \
        errno = 0;                                                                                                           \
        wide value = __VA_ARGS__;                                                                                            \
        _Bool fits = errno != ERANGE && (wide)(type)value == value;                                                          \
        errno = before;                                                                                                      \
        finish(text, end, fits, read);                                                                                       \
        return (type)value;                                                                                                  \
    }

#ifdef __LP64__
#define READER(name) _ZNSt3__1##name##ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEEPmi
#define FLOAT_READER(name) _ZNSt3__1##name##ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEEPm
#else
#define READER(name) _ZNSt3__1##name##ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEEPji
#define FLOAT_READER(name) _ZNSt3__1##name##ERKNS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEEPj
#endif

FROM_STRING(READER(4stoi), int, long, strtol(text, &end, base))
FROM_STRING(READER(4stol), long, long, strtol(text, &end, base))
FROM_STRING(READER(5stoul), unsigned long, unsigned long, strtoul(text, &end, base))
FROM_STRING(READER(5stoll), long long, long long, strtoll(text, &end, base))
FROM_STRING(READER(6stoull), unsigned long long, unsigned long long, strtoull(text, &end, base))

double FLOAT_READER(4stod)(const struct string *s, size_t *read)
{
    const char *text = text_of(s);
    char *end;
    int before = errno;
    errno = 0;
    double value = strtod(text, &end);
    _Bool fits = errno != ERANGE;
    errno = before;
    finish(text, end, fits, read);
    return value;
}

float FLOAT_READER(4stof)(const struct string *s, size_t *read)
{
    const char *text = text_of(s);
    char *end;
    int before = errno;
    errno = 0;
    float value = strtof(text, &end);
    _Bool fits = errno != ERANGE;
    errno = before;
    finish(text, end, fits, read);
    return value;
}
