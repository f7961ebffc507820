/* Input of <stdio.h>: unless it is given, standard input is unknown, so every character and number is an input of the
 * program, and the end of the input can come at any time. */
#include "scan.h"
#include "streams.h"

/* Whether a stream reads from a file, not from the console. */
#define IS_FILE(stream) (HAS_STATE(stream) && ((stream)->fd < 0 || !__tpm_is_console(stream)))

void *realloc(void *old, size_t size);

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

static int get_from_file(FILE *stream)
{
    struct __tpm_taken taken;
    struct __tpm_bytes all = __tpm_read_stream(stream, 1, -1, &taken);
    return all.count > 0 ? all.bytes[0] : EOF;
}

/* C11 7.21.7.1: the next character of a stream, or EOF. */
int fgetc(FILE *stream)
{
    if (IS_FILE(stream))
        return get_from_file(stream);
    int pushed = __tp_option_files == 2 ? __tpm_take_pushed(stream) : EOF;
    if (pushed != EOF)
        return pushed;
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

/* POSIX: the same for streams that the thread has locked. */
int getc_unlocked(FILE *stream)
{
    return fgetc(stream);
}

int fgetc_unlocked(FILE *stream)
{
    return fgetc(stream);
}

int getchar_unlocked(void)
{
    return fgetc(stdin);
}

static char *get_line_of_file(char *to, int size, FILE *stream)
{
    struct __tpm_taken taken;
    struct __tpm_bytes all = __tpm_read_stream(stream, (size_t)(size - 1), '\n', &taken);
    __tpm_hand_over(to, all.bytes, all.count);
    if (all.count == 0 && size != 1)
        return 0;
    to[all.count] = 0;
    return to;
}

/* C11 7.21.7.2: reads a line of at most size - 1 characters; null at the end. */
char *fgets(char *to, int size, FILE *stream)
{
    int n = 0;
    if (size < 1)
        return 0;
    if (IS_FILE(stream))
        return get_line_of_file(to, size, stream);
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

char *fgets_unlocked(char *to, int size, FILE *stream)
{
    return fgets(to, size, stream);
}

static size_t get_array_of_file(void *to, size_t size, FILE *stream)
{
    struct __tpm_taken taken;
    struct __tpm_bytes all = __tpm_read_stream(stream, size, -1, &taken);
    __tpm_hand_over(to, all.bytes, all.count);
    return all.count;
}

/* C11 7.21.8.1: reads an array. Returns the number of elements that were read wholly. */
size_t fread(void *array, size_t size, size_t count, FILE *stream)
{
    char *to = array;
    size_t n = 0;
    if (size == 0 || count == 0)
        return 0;
    if (IS_FILE(stream))
        return get_array_of_file(array, size * count, stream) / size;
    for (; n < size * count; n++) {
        int c = fgetc(stream);
        if (c == EOF)
            break;
        to[n] = (char)c;
    }
    return n / size;
}

size_t fread_unlocked(void *array, size_t size, size_t count, FILE *stream)
{
    return fread(array, size, count, stream);
}

/* POSIX read from the console: some bytes, or none at the end. */
size_t __tpm_read_console(void *to, size_t count)
{
    char *bytes = to;
    size_t n = 0;
    if (count == 0 || at_end())
        return 0;
    do
        bytes[n++] = (char)__tp_input_u8("character");
    while (n < count && __tp_input_bool("another character"));
    return n;
}

static struct __tpm_bytes get_from_console(FILE *stream, int delimiter, struct __tpm_taken *taken)
{
    struct __tpm_bytes all = {0, 0};
    int c;
    do {
        c = fgetc(stream);
        if (c != EOF) {
            __tp_atomic_begin();
            if (all.count == 0)
                __tpm_begin_taking(taken);
            __tpm_make_room(taken, 1);
            taken->bytes[taken->count++] = (unsigned char)c;
            all.bytes = taken->bytes;
            all.count = taken->count;
            __tp_atomic_end();
        }
    } while (c != EOF && c != delimiter);
    return all;
}

/* POSIX getdelim, getline: reads up to a delimiter into memory of the heap that grows as needed; -1 at the end. As glibc
 * does, it has 120 bytes at first, and nothing is read from a stream with an error. */
TP_DOES("can-fail")
long getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
    if (!line || !size) {
        errno = EINVAL;
        return -1;
    }
    if (HAS_STATE(stream) && __tpm_has_failed(stream))
        return -1;
    if (!*line || *size == 0) {
        *size = 120;
        *line = realloc(*line, *size);
    }
    struct __tpm_taken taken;
    struct __tpm_bytes all = IS_FILE(stream) ? __tpm_read_stream(stream, (size_t)-1 / 2, delimiter, &taken)
                                             : get_from_console(stream, delimiter, &taken);
    if (all.count == 0)
        return -1;
    if (all.count + 1 > *size) {
        size_t needed = 2 * *size > all.count + 1 ? 2 * *size : all.count + 1;
        *line = realloc(*line, needed);
        *size = needed;
    }
    __tpm_hand_over(*line, all.bytes, all.count);
    (*line)[all.count] = 0;
    return (long)all.count;
}

TP_DOES("can-fail")
long getline(char **line, size_t *size, FILE *stream)
{
    return getdelim(line, size, '\n', stream);
}

TP_DOES("can-fail")
long __getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
    return getdelim(line, size, delimiter, stream);
}

/* C11 7.21.10.2: whether the end was met. */
int feof(FILE *stream)
{
    if (IS_FILE(stream))
        return __tpm_has_ended(stream);
    __tp_atomic_begin();
    int result = ended;
    __tp_atomic_end();
    return result;
}

/* C11 7.21.10.3: whether an error was met: never on the console. */
int ferror(FILE *stream)
{
    return HAS_STATE(stream) ? __tpm_has_failed(stream) : 0;
}

/* C11 7.21.10.1: forgets that the end, or an error, was met. */
void clearerr(FILE *stream)
{
    if (IS_FILE(stream)) {
        __tpm_clear(stream);
        return;
    }
    __tp_atomic_begin();
    ended = 0;
    __tp_atomic_end();
}

int feof_unlocked(FILE *stream)
{
    return feof(stream);
}

int ferror_unlocked(FILE *stream)
{
    return ferror(stream);
}

void clearerr_unlocked(FILE *stream)
{
    clearerr(stream);
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

/* C11 7.21.6.2: reads values from a file by a format. The stream is locked meanwhile. */
static int scan_file(FILE *stream, const char *format, va_list arguments)
{
    char *text = __tpm_begin_scan(stream);
    const char *behind = text;
    if (!text)
        return EOF;
    int stored = __tpm_scan_text(text, format, arguments, &behind);
    __tpm_end_scan(stream, text, behind ? (size_t)(behind - text) : (size_t)-1);
    return stored;
}

/* C11 7.21.6.9: reads values from the console by a format. Each value is an input; before each, the stream may end, or
 * not match the format. */
static int scan_console(const char *format, va_list arguments)
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

static int scan_stream(FILE *stream, const char *format, va_list arguments)
{
    return IS_FILE(stream) ? scan_file(stream, format, arguments) : scan_console(format, arguments);
}

/* C11 7.21.6.2, 7.21.6.4, 7.21.6.11: the same from standard input or with the arguments themselves, and the names that
 * glibc's headers give them. */
#define FSCANF(name)                                                                                                   \
    int name(FILE *stream, const char *format, ...)                                                                    \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int stored = scan_stream(stream, format, arguments);                                                                \
        va_end(arguments);                                                                                             \
        return stored;                                                                                                 \
    }
#define SCANF(name)                                                                                                    \
    int name(const char *format, ...)                                                                                  \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int stored = scan_stream(stdin, format, arguments);                                                                \
        va_end(arguments);                                                                                             \
        return stored;                                                                                                 \
    }
FSCANF(fscanf)
FSCANF(__isoc99_fscanf)
FSCANF(__isoc23_fscanf)
SCANF(scanf)
SCANF(__isoc99_scanf)
SCANF(__isoc23_scanf)

#define VFSCANF(name)                                                                                                  \
    int name(FILE *stream, const char *format, va_list arguments)                                                      \
    {                                                                                                                  \
        return TAKE_FROM(arguments, scan_stream(stream, format, arguments));                                           \
    }
#define VSCANF(name)                                                                                                   \
    int name(const char *format, va_list arguments)                                                                    \
    {                                                                                                                  \
        return TAKE_FROM(arguments, scan_stream(stdin, format, arguments));                                            \
    }
VFSCANF(vfscanf)
VFSCANF(__isoc99_vfscanf)
VFSCANF(__isoc23_vfscanf)
VSCANF(vscanf)
VSCANF(__isoc99_vscanf)
VSCANF(__isoc23_vscanf)
