/* Streams and the formatting of text, for the models of <stdio.h>. */
#ifndef TPM_STREAM_H
#define TPM_STREAM_H

#include "internal.h"
#include <stdarg.h>

enum { EOF = -1 };

/* Programs know FILE only by its address. */
typedef struct _IO_FILE {
    int fd;
} FILE;

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;

/* Formats to a file descriptor or a stream, in one write if it fits into the buffer. The number of characters. */
int __tpm_print(int fd, const char *format, va_list arguments);
int __tpm_print_on(FILE *stream, const char *format, va_list arguments);
/* Formats to memory: at most `size` bytes with the terminator. The number of characters that would fit without limit. */
int __tpm_print_to(char *memory, size_t size, const char *format, va_list arguments);

/* C11 7.16: a list that a function has taken arguments from is indeterminate, and its owner may only end it. With pointers of
 * four bytes nothing is to be seen of that: a list is handed over by value. */
#ifdef __x86_64__
static inline void __tpm_check_list(va_list arguments)
{
    __tp_assert(arguments->overflow_arg_area != 0, TP_INVALID_DEREF,
                "a va_list is used again after a call that took its arguments; va_copy makes a second list");
}

static inline int __tpm_end_list(va_list arguments, int result)
{
    arguments->gp_offset = 6 * 8;
    arguments->fp_offset = 6 * 8 + 8 * 16;
    arguments->overflow_arg_area = 0;
    return result;
}

#define TAKE_FROM(arguments, call) (__tpm_check_list(arguments), __tpm_end_list(arguments, call))
#else
#define TAKE_FROM(arguments, call) (call)
#endif

#endif
