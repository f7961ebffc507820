/* The formats of printf (C11 7.21.6.1), in the C locale. Wide characters are not formatted. */
#include "stream.h"

TP_ALL_DO("lacks-numbers")

char *strerror(int number);

/* Where formatted text goes: to a file descriptor by way of the buffer, or to memory (fd < 0). */
struct sink {
    int fd;
    unsigned used;
    char *memory;
    size_t room;  /* bytes of memory that may still be written */
    size_t total; /* characters produced so far, written or not */
    char buffer[256];
};

/* Formatting is one step. Only the stores to the user's memory are outside of it: they are ordinary accesses. */
static void flush(struct sink *sink)
{
    unsigned used = sink->used;
    sink->used = 0;
    if (used == 0)
        return;
    if (sink->fd >= 0) {
        __tp_write(sink->fd, sink->buffer, used);
        return;
    }
    size_t n = used < sink->room ? used : sink->room;
    char *to = sink->memory;
    sink->memory += n;
    sink->room -= n;
    __tp_atomic_end();
    if (n > 0)
        __builtin_memcpy(to, sink->buffer, n);
    __tp_atomic_begin();
}

static void put(struct sink *sink, const char *text, size_t length)
{
    sink->total += length;
    while (length > 0) {
        if (sink->used == sizeof sink->buffer)
            flush(sink);
        size_t room = sizeof sink->buffer - sink->used;
        size_t n = length < room ? length : room;
        __builtin_memcpy(sink->buffer + sink->used, text, n);
        sink->used += (unsigned)n;
        text += n;
        length -= n;
    }
}

static void pad(struct sink *sink, char c, long count)
{
    char block[32];
    if (count <= 0)
        return;
    __builtin_memset(block, c, sizeof block);
    for (; count > (long)sizeof block; count -= (long)sizeof block)
        put(sink, block, sizeof block);
    put(sink, block, (size_t)count);
}

/* A conversion specification, without its letter. */
struct spec {
    _Bool left, plus, space, alternative, zero;
    int width;
    int precision; /* -1: none */
    int size;      /* bytes of an integer argument */
    _Bool long_double;
};

/* Writes the sign or prefix, then the text, padded to the width on the side that the flags choose. */
static void put_field(struct sink *sink, const struct spec *spec, const char *prefix, const char *text,
                      size_t length, long zeros, _Bool fill_with_zeros)
{
    size_t prefix_length = __tpm_strlen(prefix);
    long fill = (long)spec->width - (long)prefix_length - zeros - (long)length;
    if (fill > 0 && fill_with_zeros) {
        zeros += fill;
        fill = 0;
    }
    if (!spec->left)
        pad(sink, ' ', fill);
    put(sink, prefix, prefix_length);
    pad(sink, '0', zeros);
    put(sink, text, length);
    if (spec->left)
        pad(sink, ' ', fill);
}

static const char *sign_prefix(const struct spec *spec, _Bool negative)
{
    return negative ? "-" : spec->plus ? "+" : spec->space ? " " : "";
}

static void put_integer(struct sink *sink, const struct spec *spec, const char *prefix, unsigned long long value,
                        char letter)
{
    const char *digits = letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    unsigned base = letter == 'o' ? 8 : letter == 'x' || letter == 'X' || letter == 'p' ? 16 : 10;
    char text[24];
    size_t start = sizeof text;
    if (value >> 32 == 0) {
        for (unsigned v = (unsigned)value; v; v /= base)
            text[--start] = digits[v % base];
    } else {
        for (; value; value /= base)
            text[--start] = digits[value % base];
    }
    long length = (long)(sizeof text - start);
    long zeros = (spec->precision < 0 ? 1 : spec->precision) - length;
    if (letter == 'o' && spec->alternative && zeros <= 0)
        zeros = 1;
    if (zeros < 0)
        zeros = 0;
    put_field(sink, spec, prefix, text + start, (size_t)length, zeros,
              spec->zero && !spec->left && spec->precision < 0);
}

static void put_signed(struct sink *sink, const struct spec *spec, long long value)
{
    unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    put_integer(sink, spec, sign_prefix(spec, value < 0), magnitude, 'd');
}

static void put_unsigned(struct sink *sink, const struct spec *spec, unsigned long long value, char letter)
{
    const char *prefix = !spec->alternative || value == 0 ? "" : letter == 'x' ? "0x" : letter == 'X' ? "0X" : "";
    put_integer(sink, spec, prefix, value, letter);
}

static void put_pointer(struct sink *sink, const struct spec *spec, const void *value)
{
    if (!value) {
        put_field(sink, spec, "", "(nil)", 5, 0, 0);
        return;
    }
    struct spec plain = *spec;
    plain.precision = -1;
    put_integer(sink, &plain, "0x", (unsigned long long)(size_t)value, 'p');
}

static void put_string(struct sink *sink, const struct spec *spec, const char *text)
{
    if (!text)
        text = spec->precision < 0 || spec->precision >= 6 ? "(null)" : "";
    size_t length = 0;
    if (spec->precision < 0)
        length = __tpm_strlen(text);
    else
        while (length < (size_t)spec->precision && text[length])
            length++;
    put_field(sink, spec, "", text, length, 0, 0);
}

static void put_digits(struct sink *sink, const struct spec *spec, const char *text, int length)
{
    _Bool negative = text[0] == '-';
    text += negative;
    length -= negative;
    const char *prefix = sign_prefix(spec, negative);
    _Bool is_number = text[0] >= '0' && text[0] <= '9';
    if (length > 1 && (text[1] | 32) == 'x') {
        /* Zeros go between 0x and the digits. */
        char with_sign[4];
        size_t n = __tpm_strlen(prefix);
        __builtin_memcpy(with_sign, prefix, n);
        __builtin_memcpy(with_sign + n, text, 2);
        with_sign[n + 2] = 0;
        put_field(sink, spec, with_sign, text + 2, (size_t)length - 2, 0, spec->zero && !spec->left);
    } else {
        put_field(sink, spec, prefix, text, (size_t)length, 0, spec->zero && !spec->left && is_number);
    }
}

static void put_double(struct sink *sink, const struct spec *spec, double value, char letter)
{
    char text[64];
    int length = __tp_format_double(text, sizeof text, letter, spec->precision, spec->alternative, value);
    if (length <= (int)sizeof text) {
        put_digits(sink, spec, text, length);
        return;
    }
    char *longer = __tpm_malloc((size_t)length);
    length = __tp_format_double(longer, length, letter, spec->precision, spec->alternative, value);
    put_digits(sink, spec, longer, length);
    __tp_free(longer);
}

struct arguments {
    va_list list;
};

/* A number in the format: digits or an argument. */
static const char *read_number(const char *f, int *number, struct arguments *a)
{
    if (*f == '*') {
        *number = va_arg(a->list, int);
        return f + 1;
    }
    *number = 0;
    while (*f >= '0' && *f <= '9')
        *number = *number * 10 + (*f++ - '0');
    return f;
}

static const char *read_flags(const char *f, struct spec *spec)
{
    for (;; f++) {
        switch (*f) {
        case '-': spec->left = 1; break;
        case '+': spec->plus = 1; break;
        case ' ': spec->space = 1; break;
        case '#': spec->alternative = 1; break;
        case '0': spec->zero = 1; break;
        case '\'': break;
        default: return f;
        }
    }
}

static const char *read_size(const char *f, struct spec *spec)
{
    spec->size = sizeof(int);
    switch (*f) {
    case 'h':
        if (f[1] == 'h') {
            spec->size = sizeof(char);
            return f + 2;
        }
        spec->size = sizeof(short);
        return f + 1;
    case 'l':
        if (f[1] == 'l') {
            spec->size = sizeof(long long);
            return f + 2;
        }
        spec->size = sizeof(long);
        return f + 1;
    case 'q':
    case 'j':
        spec->size = sizeof(long long);
        return f + 1;
    case 'z':
    case 't':
    case 'Z':
        spec->size = sizeof(size_t);
        return f + 1;
    case 'L':
        spec->size = sizeof(long long);
        spec->long_double = 1;
        return f + 1;
    default: return f;
    }
}

static const char *read_spec(const char *f, struct spec *spec, struct arguments *a)
{
    *spec = (struct spec){0};
    spec->precision = -1;
    f = read_flags(f, spec);
    f = read_number(f, &spec->width, a);
    if (spec->width < 0) {
        spec->left = 1;
        spec->width = -spec->width;
    }
    if (*f == '.') {
        f = read_number(f + 1, &spec->precision, a);
        if (spec->precision < 0)
            spec->precision = -1;
    }
    return read_size(f, spec);
}

static long long signed_argument(struct arguments *a, int size)
{
    if (size == sizeof(long long))
        return va_arg(a->list, long long);
    int value = va_arg(a->list, int);
    return size == sizeof(char) ? (signed char)value : size == sizeof(short) ? (short)value : value;
}

static unsigned long long unsigned_argument(struct arguments *a, int size)
{
    if (size == sizeof(long long))
        return va_arg(a->list, unsigned long long);
    unsigned value = va_arg(a->list, unsigned);
    return size == sizeof(char) ? (unsigned char)value : size == sizeof(short) ? (unsigned short)value : value;
}

/* Stores how much was written so far. */
static void store_count(void *target, int size, size_t count)
{
    switch (size) {
    case sizeof(char): *(signed char *)target = (signed char)count; break;
    case sizeof(short): *(short *)target = (short)count; break;
    case sizeof(int): *(int *)target = (int)count; break;
    default: *(long long *)target = (long long)count; break;
    }
}

/* Has no body: reaching it is reported as a function without a model. */
void printf_conversion_without_model(void);

/* The conversions that are modelled, besides %%. */
static _Bool is_conversion(char c)
{
    switch (c) {
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'c': case 's': case 'p': case 'n': case 'm':
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A': return 1;
    default: return 0;
    }
}

/* Formats one argument. */
static void convert(struct sink *sink, struct spec *spec, char letter, struct arguments *a)
{
    switch (letter) {
    case 'd':
    case 'i': put_signed(sink, spec, signed_argument(a, spec->size)); break;
    case 'u':
    case 'x':
    case 'X':
    case 'o': put_unsigned(sink, spec, unsigned_argument(a, spec->size), letter); break;
    case 'c': {
        char c = (char)va_arg(a->list, int);
        put_field(sink, spec, "", &c, 1, 0, 0);
        break;
    }
    case 's': put_string(sink, spec, va_arg(a->list, const char *)); break;
    case 'p': put_pointer(sink, spec, va_arg(a->list, const void *)); break;
    case 'n': store_count(va_arg(a->list, void *), spec->size, sink->total); break;
    case 'm': put_string(sink, spec, strerror(errno)); break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        put_double(sink, spec, spec->long_double ? (double)va_arg(a->list, long double) : va_arg(a->list, double),
                   letter);
        break;
    default: printf_conversion_without_model(); break;
    }
}

static void format_all(struct sink *sink, const char *format, va_list arguments)
{
    struct arguments a;
    va_copy(a.list, arguments);
    for (;;) {
        size_t plain = 0;
        while (format[plain] && format[plain] != '%')
            plain++;
        put(sink, format, plain);
        format += plain;
        if (!*format)
            break;
        struct spec spec;
        const char *letter = read_spec(format + 1, &spec, &a);
        if (*letter == '%')
            put(sink, "%", 1);
        else if (!*letter)
            break;
        else
            convert(sink, &spec, *letter, &a);
        format = letter + 1;
    }
    va_end(a.list);
}

static int print(struct sink *sink, const char *format, va_list arguments)
{
    sink->used = 0;
    sink->total = 0;
    format_all(sink, format, arguments);
    flush(sink);
    return (int)sink->total;
}

static int print_to_descriptor(int fd, const char *format, va_list arguments)
{
    struct sink sink;
    __tp_atomic_begin();
    sink.fd = fd;
    int total = print(&sink, format, arguments);
    __tp_atomic_end();
    return total;
}

TP_DOES("format 1")
TP_DOES("output")
int __tpm_output_format(int fd, const char *format, va_list arguments)
{
    return print_to_descriptor(fd, format, arguments);
}

TP_DOES("format 1")
TP_DOES("output")
int __tpm_output_format_on(FILE *stream, const char *format, va_list arguments)
{
    return print_to_descriptor(stream->fd, format, arguments);
}

/* Part of a conversion specification before its letter. */
static _Bool is_modifier(char c)
{
    switch (c) {
    case '-': case '+': case ' ': case '#': case '\'': case '*': case '.':
    case 'h': case 'l': case 'q': case 'j': case 'z': case 't': case 'Z': case 'L': return 1;
    default: return c >= '0' && c <= '9';
    }
}

/* Whether a conversion does more than write: %n stores; numbered arguments and other conversions are not modelled.
 * Reading the format takes no step of its own if the format is a constant. */
static _Bool does_more(const char *format)
{
    for (; *format; format++) {
        if (*format != '%')
            continue;
        do
            format++;
        while (is_modifier(*format));
        if (!*format)
            return 0;
        if (*format == 'n' || (*format != '%' && !is_conversion(*format)))
            return 1;
    }
    return 0;
}

TP_DOES("format 1")
int __tpm_print(int fd, const char *format, va_list arguments)
{
    if (does_more(format))
        return print_to_descriptor(fd, format, arguments);
    return __tpm_output_format(fd, format, arguments);
}

TP_DOES("format 1")
int __tpm_print_on(FILE *stream, const char *format, va_list arguments)
{
    if (does_more(format))
        return print_to_descriptor(stream->fd, format, arguments);
    return __tpm_output_format_on(stream, format, arguments);
}

int __tpm_print_to(char *memory, size_t size, const char *format, va_list arguments)
{
    struct sink sink;
    __tp_atomic_begin();
    sink.fd = -1;
    sink.memory = memory;
    sink.room = size > 0 ? size - 1 : 0;
    int total = print(&sink, format, arguments);
    char *end = sink.memory;
    __tp_atomic_end();
    if (size > 0)
        *end = 0;
    return total;
}

TP_END
