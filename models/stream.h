/* Streams and the formatting of text, for the models of <stdio.h>. */
#ifndef TPM_STREAM_H
#define TPM_STREAM_H

#include "internal.h"
#include <stdarg.h>

enum { EOF = -1 };

/* Programs know FILE only by its address. Those of the standard streams are constants; others are the beginning of a
 * record (streams.h), with -1 here. */
typedef struct _IO_FILE {
    int fd;
} FILE;

extern const FILE standard_input, standard_output, standard_error;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;

/* Formats to a file descriptor or a stream, in one write if it fits into the buffer. Returns the length. */
int __tpm_print(int fd, const char *format, va_list arguments);
int __tpm_print_on(FILE *stream, const char *format, va_list arguments);
/* Formats to memory: at most `size` bytes with the terminator. Returns the length without this limit. */
int __tpm_print_to(char *memory, size_t size, const char *format, va_list arguments);

/* Whether a stream has state that its functions have to look at: the standard streams have none unless the program locks
 * or redirects them, so that their output is nothing but output. */
#define HAS_STATE(stream) (__tp_option_files && (__tp_option_files == 2 || (stream)->fd < 0))

/* The same for streams with state, and for descriptors in programs that open files. */
int __tpm_print_to_stream(FILE *stream, const char *format, va_list arguments);
int __tpm_print_to_descriptor(int fd, const char *format, va_list arguments);
/* Writes to a stream with state; false if that failed. */
_Bool __tpm_write_stream(FILE *stream, const void *bytes, size_t count);
/* The descriptor of a stream with state. */
int __tpm_descriptor_of(FILE *stream);
/* A step that only needs the stream to be there and free. */
void __tpm_use_stream(FILE *stream);
#define PRINT_ON(stream, format, arguments)                                                                            \
    (HAS_STATE(stream) ? __tpm_print_to_stream(stream, format, arguments) : __tpm_print_on(stream, format, arguments))
#define PRINT_OUT(format, arguments)                                                                                   \
    (__tp_option_files == 2 ? __tpm_print_to_stream(stdout, format, arguments) : __tpm_print(1, format, arguments))
#define PRINT(fd, format, arguments)                                                                                   \
    (__tp_option_files ? __tpm_print_to_descriptor(fd, format, arguments) : __tpm_print(fd, format, arguments))

/* C11 7.16: after a function took arguments from a list, its owner may only end it. With 32-bit pointers this cannot be
 * observed: a list is passed by value. */
#ifdef __x86_64__
enum {
    GENERAL_END = 6 * 8,
    FLOAT_END = 6 * 8 + 8 * 16,
    USED_UP = FLOAT_END + 1 /* no list of variable arguments, not even an empty one, begins so */
};

static inline void __tpm_check_list(va_list arguments)
{
    __tp_assert(arguments->fp_offset != USED_UP, TP_INVALID_DEREF,
                "a va_list is used again after a call that took its arguments; va_copy makes a second list");
}

static inline int __tpm_end_list(va_list arguments, int result)
{
    arguments->gp_offset = GENERAL_END;
    arguments->fp_offset = USED_UP;
    arguments->overflow_arg_area = 0;
    return result;
}

#define TAKE_FROM(arguments, call) (__tpm_check_list(arguments), __tpm_end_list(arguments, call))
#else
#define TAKE_FROM(arguments, call) (call)
#endif

#endif
