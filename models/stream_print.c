/* printf to streams that have state, and to descriptors. */
#include "streams.h"

/* Formats to memory first, and then writes at once. */
static char *format_to_memory(const char *format, va_list arguments, int *length)
{
    *length = __tpm_print_to(0, 0, format, arguments);
    char *text = __tp_alloc_record((size_t)*length + 1, 1);
    __tpm_print_to(text, (size_t)*length + 1, format, arguments);
    return text;
}

int __tpm_print_to_stream(FILE *stream, const char *format, va_list arguments)
{
    int length;
    char *text = format_to_memory(format, arguments, &length);
    return __tpm_write_record(stream, (unsigned char *)text, (size_t)length) ? length : -1;
}

int __tpm_print_to_descriptor(int fd, const char *format, va_list arguments)
{
    int length;
    char *text = format_to_memory(format, arguments, &length);
    long written = __tpm_write(fd, text, (size_t)length);
    __tp_free(text);
    return written < 0 ? -1 : length;
}
