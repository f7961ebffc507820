/* <sys/uio.h>: reading to and writing from several places at once. */
#include "files.h"

TP_ALL_DO("signal-safe")

long read(int fd, void *to, size_t count);

struct part {
    void *base;
    size_t length;
};

static size_t total(const struct part *parts, int count)
{
    size_t length = 0;
    for (int i = 0; i < count; i++)
        length += parts[i].length;
    return length;
}

/* POSIX readv, writev: as read and write, with the bytes in several places. */
long readv(int fd, const struct part *parts, int count)
{
    size_t length = total(parts, count);
    unsigned char *bytes = __tp_alloc_record(length, 1);
    long result = read(fd, bytes, length);
    size_t at = 0;
    for (int i = 0; i < count && result > (long)at; i++) {
        size_t n = (size_t)result - at < parts[i].length ? (size_t)result - at : parts[i].length;
        if (n > 0)
            __builtin_memcpy(parts[i].base, bytes + at, n);
        at += n;
    }
    __tp_free(bytes);
    return result;
}

long writev(int fd, const struct part *parts, int count)
{
    __tpm_cancel_point();
    size_t length = total(parts, count);
    unsigned char *bytes = __tp_alloc_record(length, 1);
    size_t at = 0;
    for (int i = 0; i < count; at += parts[i++].length)
        if (parts[i].length > 0)
            __builtin_memcpy(bytes + at, parts[i].base, parts[i].length);
    long result = __tpm_write(fd, bytes, length);
    __tp_free(bytes);
    return result;
}

TP_END
