/* Input of <stdio.h>: standard input is unknown, so every character and number is an input of the program, and the end
 * of the input can come at any time. */
#include "scan.h"

static int ended;

/* Whether the input is at its end; from then on it stays there. */
static _Bool at_end(void)
{
    __tp_atomic_begin();
    if (!ended && __tp_input_bool("end of input"))
        ended = 1;
    _Bool result = ended != 0;
    __tp_atomic_end();
    return result;
}

/* C11 7.21.7.1: the next character of a stream, or EOF. */
int fgetc(FILE *stream)
{
    (void)stream;
    return at_end() ? EOF : __tp_input_u8("character");
}

/* C11 7.21.7.5, 7.21.7.6: the same. */
int getc(FILE *stream)
{
    return fgetc(stream);
}

int _IO_getc(FILE *stream)
{
    return fgetc(stream);
}

int getchar(void)
{
    return fgetc(stdin);
}

/* C11 7.21.7.2: reads a line of at most size - 1 characters; null at the end. */
char *fgets(char *to, int size, FILE *stream)
{
    int n = 0;
    while (n < size - 1) {
        int c = fgetc(stream);
        if (c == EOF)
            break;
        to[n++] = (char)c;
        if (c == '\n')
            break;
    }
    if (n == 0 && size != 1)
        return 0;
    to[n] = 0;
    return to;
}

/* C11 7.21.10.2: whether the end was met. */
int feof(FILE *stream)
{
    (void)stream;
    __tp_atomic_begin();
    int result = ended;
    __tp_atomic_end();
    return result;
}

/* C11 7.21.10.3: whether an error was met: never. */
int ferror(FILE *stream)
{
    (void)stream;
    return 0;
}

/* C11 7.21.10.1: forgets that the end was met. */
void clearerr(FILE *stream)
{
    (void)stream;
    __tp_atomic_begin();
    ended = 0;
    __tp_atomic_end();
}

/* Any text that the conversion can read: at least one character, as many as the width allows. */
static void store_text(const struct __tpm_conversion *c, char *to)
{
    int limit = c->width > 0 ? c->width : c->letter == 'c' ? 1 : __INT_MAX__;
    int n = 0;
    do {
        char ch = (char)__tp_input_u8("character");
        if (c->letter != 'c')
            __tp_assume(ch != 0 && __tpm_in_set(c, ch));
        to[n++] = ch;
    } while (n < limit && (c->letter == 'c' || __tp_input_bool("another character")));
    if (c->letter != 'c')
        to[n] = 0;
}

static void store(const struct __tpm_conversion *c, void *to)
{
    switch (c->letter) {
    case 'c':
    case 's':
    case '[': store_text(c, to); break;
    case 'a':
    case 'e':
    case 'f':
    case 'g':
    case 'A':
    case 'E':
    case 'F':
    case 'G':
        if (c->is_long_double)
            scanf_conversion_without_model();
        else if (c->is_long)
            *(double *)to = __tp_input_double("scanf");
        else
            *(float *)to = __tp_input_float("scanf");
        break;
    case 'p': *(void **)to = __tp_input_pointer("scanf"); break;
    default:
        if (c->size == sizeof(long long))
            __tpm_store_integer(to, c->size, __tp_input_u64("scanf"));
        else
            __tpm_store_integer(to, c->size, __tp_input_u32("scanf"));
    }
}

/* C11 7.21.6.9: reads values from a stream by a format. Each value is an input; before each, the stream may end, or
 * not match the format. */
static int scan_stream(const char *format, va_list arguments)
{
    int stored = 0;
    for (const char *f = format; *f; f++) {
        if (*f != '%')
            continue;
        struct __tpm_conversion c;
        f = __tpm_read_conversion(f + 1, &c) - 1;
        if (c.letter == 0)
            break;
        if (c.letter == '%')
            continue;
        if (c.letter == 'n') {
            if (c.store)
                __tpm_store_integer(va_arg(arguments, void *), c.size, __tp_input_u32("scanf") >> 1);
            continue;
        }
        if (at_end())
            return stored == 0 ? EOF : stored;
        if (c.letter != 'c' && c.letter != 's' && __tp_input_bool("input does not match"))
            return stored;
        if (c.store) {
            store(&c, va_arg(arguments, void *));
            stored++;
        }
    }
    return stored;
}

/* C11 7.21.6.2, 7.21.6.4, 7.21.6.11: the same from standard input or with the arguments themselves, and the names that
 * glibc's headers give them. */
#define FSCANF(name)                                                                                                   \
    int name(FILE *stream, const char *format, ...)                                                                    \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        (void)stream;                                                                                                  \
        int stored = scan_stream(format, arguments);                                                                   \
        va_end(arguments);                                                                                             \
        return stored;                                                                                                 \
    }
#define SCANF(name)                                                                                                    \
    int name(const char *format, ...)                                                                                  \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int stored = scan_stream(format, arguments);                                                                   \
        va_end(arguments);                                                                                             \
        return stored;                                                                                                 \
    }
FSCANF(fscanf)
FSCANF(__isoc99_fscanf)
FSCANF(__isoc23_fscanf)
SCANF(scanf)
SCANF(__isoc99_scanf)
SCANF(__isoc23_scanf)

int vfscanf(FILE *stream, const char *format, va_list arguments)
{
    (void)stream;
    return TAKE_FROM(arguments, scan_stream(format, arguments));
}

int vscanf(const char *format, va_list arguments)
{
    return TAKE_FROM(arguments, scan_stream(format, arguments));
}
