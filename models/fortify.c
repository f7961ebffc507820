/* The functions that the C library's headers call under _FORTIFY_SOURCE: they also get the size of the object that is
 * written. Objects are checked here anyway, so these call the plain functions. */
#include "stream.h"

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
char *strcpy(char *restrict to, const char *restrict from);
char *stpcpy(char *restrict to, const char *restrict from);
char *strncpy(char *restrict to, const char *restrict from, size_t n);
char *strcat(char *restrict to, const char *restrict from);
char *strncat(char *restrict to, const char *restrict from, size_t n);
char *fgets(char *to, int size, FILE *stream);

void *__memcpy_chk(void *to, const void *from, size_t n, size_t size)
{
    (void)size;
    return memcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t size)
{
    (void)size;
    return memmove(to, from, n);
}

void *__memset_chk(void *to, int byte, size_t n, size_t size)
{
    (void)size;
    return memset(to, byte, n);
}

char *__strcpy_chk(char *to, const char *from, size_t size)
{
    (void)size;
    return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t size)
{
    (void)size;
    return stpcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t size)
{
    (void)size;
    return strncpy(to, from, n);
}

char *__strcat_chk(char *to, const char *from, size_t size)
{
    (void)size;
    return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t size)
{
    (void)size;
    return strncat(to, from, n);
}

char *__fgets_chk(char *to, size_t size, int n, FILE *stream)
{
    (void)size;
    return fgets(to, n, stream);
}

size_t fread(void *array, size_t size, size_t count, FILE *stream);
long read(int fd, void *to, size_t count);
long pread(int fd, void *to, size_t count, long offset);

size_t __fread_chk(void *array, size_t room, size_t size, size_t count, FILE *stream)
{
    (void)room;
    return fread(array, size, count, stream);
}

long __read_chk(int fd, void *to, size_t count, size_t room)
{
    (void)room;
    return read(fd, to, count);
}

long __pread_chk(int fd, void *to, size_t count, long offset, size_t room)
{
    (void)room;
    return pread(fd, to, count, offset);
}

#define WITH_ARGUMENTS(call)                                                                                           \
    (void)flag;                                                                                                        \
    va_list arguments;                                                                                                 \
    va_start(arguments, format);                                                                                       \
    int result_ = call;                                                                                                \
    va_end(arguments);                                                                                                 \
    return result_

int __printf_chk(int flag, const char *format, ...)
{
    WITH_ARGUMENTS(PRINT_OUT(format, arguments));
}

int __fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
    WITH_ARGUMENTS(PRINT_ON(stream, format, arguments));
}

int __dprintf_chk(int fd, int flag, const char *format, ...)
{
    WITH_ARGUMENTS(PRINT(fd, format, arguments));
}

int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...)
{
    (void)size;
    WITH_ARGUMENTS(__tpm_print_to(to, (size_t)-1, format, arguments));
}

int __snprintf_chk(char *to, size_t n, int flag, size_t size, const char *format, ...)
{
    (void)size;
    WITH_ARGUMENTS(__tpm_print_to(to, n, format, arguments));
}

int __vprintf_chk(int flag, const char *format, va_list arguments)
{
    (void)flag;
    return TAKE_FROM(arguments, PRINT_OUT(format, arguments));
}

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments)
{
    (void)flag;
    return TAKE_FROM(arguments, PRINT_ON(stream, format, arguments));
}

int __vsprintf_chk(char *to, int flag, size_t size, const char *format, va_list arguments)
{
    (void)flag;
    (void)size;
    return TAKE_FROM(arguments, __tpm_print_to(to, (size_t)-1, format, arguments));
}

int __vsnprintf_chk(char *to, size_t n, int flag, size_t size, const char *format, va_list arguments)
{
    (void)flag;
    (void)size;
    return TAKE_FROM(arguments, __tpm_print_to(to, n, format, arguments));
}
