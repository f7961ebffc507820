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

/* Where formatted text goes: to a file descriptor by way of the buffer, or to memory (fd < 0). */
struct __tpm_sink {
    int fd;
    unsigned used;
    char *memory;
    size_t room;  /* bytes of memory that may still be written */
    size_t total; /* characters produced so far, written or not */
    char buffer[256];
};

void __tpm_put(struct __tpm_sink *sink, const char *text, size_t length);
void __tpm_pad(struct __tpm_sink *sink, char c, long count);
void __tpm_format(struct __tpm_sink *sink, const char *format, va_list arguments);

/* Formats to a file descriptor, in one write if it fits into the buffer. The number of characters. */
int __tpm_print(int fd, const char *format, va_list arguments);
/* Formats to memory: at most `size` bytes with the terminator. The number of characters that would fit without limit. */
int __tpm_print_to(char *memory, size_t size, const char *format, va_list arguments);

#endif
