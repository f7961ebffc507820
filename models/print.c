/* Output of <stdio.h>. A call writes in one step, so that the output of threads does not interleave within a call. */
#include "stream.h"

char *strerror(int number);

const FILE standard_input = {0};
const FILE standard_output = {1};
const FILE standard_error = {2};
FILE *stdin = (FILE *)&standard_input;
FILE *stdout = (FILE *)&standard_output;
FILE *stderr = (FILE *)&standard_error;

/* C11 7.21.6.8: formats to a stream. Returns the number of characters. */
int vfprintf(FILE *stream, const char *format, va_list arguments)
{
    return TAKE_FROM(arguments, PRINT_ON(stream, format, arguments));
}

/* C11 7.21.6.10: formats to standard output. */
int vprintf(const char *format, va_list arguments)
{
    return TAKE_FROM(arguments, PRINT_OUT(format, arguments));
}

/* POSIX vdprintf: formats to a file descriptor. */
int vdprintf(int fd, const char *format, va_list arguments)
{
    return TAKE_FROM(arguments, PRINT(fd, format, arguments));
}

/* C11 7.21.6.12: formats to memory, at most `size` bytes with the terminator. Returns the length without this limit. */
int vsnprintf(char *to, size_t size, const char *format, va_list arguments)
{
    return TAKE_FROM(arguments, __tpm_print_to(to, size, format, arguments));
}

/* C11 7.21.6.13: formats to memory without limit. */
int vsprintf(char *to, const char *format, va_list arguments)
{
    return TAKE_FROM(arguments, __tpm_print_to(to, (size_t)-1, format, arguments));
}

/* The C library's vasprintf: formats to new memory on the heap. */
TP_DOES("can-fail")
int vasprintf(char **result, const char *format, va_list arguments)
{
    int length = __tpm_print_to(0, 0, format, arguments);
    *result = __tpm_malloc((size_t)length + 1);
    return TAKE_FROM(arguments, __tpm_print_to(*result, (size_t)length + 1, format, arguments));
}

/* C11 7.21.6.1, 7.21.6.3, 7.21.6.5, 7.21.6.6: the same with the arguments themselves. */
#define WITH_ARGUMENTS(call)                                                                                           \
    va_list arguments;                                                                                                 \
    va_start(arguments, format);                                                                                       \
    int result_ = call;                                                                                                \
    va_end(arguments);                                                                                                 \
    return result_

int printf(const char *format, ...)
{
    WITH_ARGUMENTS(PRINT_OUT(format, arguments));
}

int fprintf(FILE *stream, const char *format, ...)
{
    WITH_ARGUMENTS(PRINT_ON(stream, format, arguments));
}

int dprintf(int fd, const char *format, ...)
{
    WITH_ARGUMENTS(PRINT(fd, format, arguments));
}

int sprintf(char *to, const char *format, ...)
{
    WITH_ARGUMENTS(__tpm_print_to(to, (size_t)-1, format, arguments));
}

int snprintf(char *to, size_t size, const char *format, ...)
{
    WITH_ARGUMENTS(__tpm_print_to(to, size, format, arguments));
}

TP_DOES("can-fail")
int asprintf(char **result, const char *format, ...)
{
    WITH_ARGUMENTS(vasprintf(result, format, arguments));
}

TP_DOES("output")
void __tpm_output_bytes(int fd, const void *bytes, size_t count)
{
    __tp_write(fd, bytes, count);
}

TP_DOES("output")
void __tpm_output_bytes_on(FILE *stream, const void *bytes, size_t count)
{
    __tp_write(stream->fd, bytes, count);
}

TP_DOES("output")
void __tpm_output_character_on(FILE *stream, int c)
{
    unsigned char byte = (unsigned char)c;
    __tp_write(stream->fd, &byte, 1);
}

TP_DOES("output")
void __tpm_output_text_on(FILE *stream, const char *text)
{
    __tp_write(stream->fd, text, __tpm_strlen(text));
}

/* C11 7.21.7.3: writes a character. */
int fputc(int c, FILE *stream)
{
    unsigned char byte = (unsigned char)c;
    if (HAS_STATE(stream))
        return __tpm_write_stream(stream, &byte, 1) ? byte : EOF;
    __tpm_output_character_on(stream, c);
    return byte;
}

/* C11 7.21.7.7, 7.21.7.8 and POSIX's unlocked forms: the same. */
int putc(int c, FILE *stream)
{
    return fputc(c, stream);
}

int _IO_putc(int c, FILE *stream)
{
    return fputc(c, stream);
}

int putc_unlocked(int c, FILE *stream)
{
    return fputc(c, stream);
}

int fputc_unlocked(int c, FILE *stream)
{
    return fputc(c, stream);
}

int putchar(int c)
{
    return fputc(c, (FILE *)&standard_output);
}

int putchar_unlocked(int c)
{
    return fputc(c, (FILE *)&standard_output);
}

/* C11 7.21.7.4: writes a string. */
int fputs(const char *text, FILE *stream)
{
    if (HAS_STATE(stream))
        return __tpm_write_stream(stream, text, __tpm_strlen(text)) ? 1 : EOF;
    __tpm_output_text_on(stream, text);
    return 1;
}

int fputs_unlocked(const char *text, FILE *stream)
{
    return fputs(text, stream);
}

static int output(FILE *stream, const char *format, ...)
{
    WITH_ARGUMENTS(__tpm_print_on(stream, format, arguments));
}

TP_DOES("output")
int __tpm_output_line(const char *text)
{
    return output((FILE *)&standard_output, "%s\n", text);
}

static int line_with_state(const char *format, ...)
{
    WITH_ARGUMENTS(__tpm_print_to_stream((FILE *)&standard_output, format, arguments));
}

/* C11 7.21.7.9: writes a string and a newline to standard output, in one write if it is short. */
int puts(const char *text)
{
    if (__tp_option_files == 2)
        return line_with_state("%s\n", text);
    return __tpm_output_line(text);
}

/* C11 7.21.8.2: writes an array. Returns the number of elements written. */
size_t fwrite(const void *array, size_t size, size_t count, FILE *stream)
{
    if (size == 0)
        return 0;
    if (HAS_STATE(stream))
        return __tpm_write_stream(stream, array, size * count) ? count : 0;
    __tpm_output_bytes_on(stream, array, size * count);
    return count;
}

size_t fwrite_unlocked(const void *array, size_t size, size_t count, FILE *stream)
{
    return fwrite(array, size, count, stream);
}

/* C11 7.21.5.2: writes what is buffered: nothing is. */
int fflush(FILE *stream)
{
    if (__tp_option_files && stream && stream->fd < 0)
        __tpm_use_stream(stream);
    return 0;
}

int fflush_unlocked(FILE *stream)
{
    return fflush(stream);
}

/* C11 7.21.5.6 and 7.21.5.5: how a stream buffers. */
int setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    (void)stream;
    (void)buffer;
    (void)mode;
    (void)size;
    return 0;
}

void setbuf(FILE *stream, char *buffer)
{
    (void)stream;
    (void)buffer;
}

void setlinebuf(FILE *stream)
{
    (void)stream;
}

TP_DOES("output")
void __tpm_output_error(const char *text)
{
    if (text && *text)
        output((FILE *)&standard_error, "%s: %s\n", text, strerror(errno));
    else
        output((FILE *)&standard_error, "%s\n", strerror(errno));
}

/* C11 7.21.10.4: writes a text and the text for errno to standard error. */
void perror(const char *text)
{
    __tpm_output_error(text);
}

/* POSIX fileno: the file descriptor of a stream. */
int fileno(FILE *stream)
{
    if (HAS_STATE(stream))
        return __tpm_descriptor_of(stream);
    return stream->fd;
}
