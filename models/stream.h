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

#endif
