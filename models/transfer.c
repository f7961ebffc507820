/* Reading from and writing to sockets: <sys/socket.h>. read and write do the same without flags. */
#include "sockets.h"

TP_ALL_DO("signal-safe")

static int receive_some(int fd, size_t most, int flags, struct __tpm_taken *taken)
{
    int error;
    struct __tpm_open *open = __tpm_open_socket(fd, &error);
    return error ? error : __tpm_receive(open, most, flags, taken);
}

static long receive_once(int fd, void *to, size_t most, int flags)
{
    int error;
    size_t count;
    do {
        struct __tpm_taken taken;
        __tpm_cancel_point();
        __tp_atomic_begin();
        __tpm_begin_taking(&taken);
        error = receive_some(fd, most, flags, &taken);
        unsigned char *bytes = taken.bytes;
        count = taken.count;
        __tp_atomic_end();
        __tpm_hand_over(to, bytes, count);
    } while (__tpm_goes_on(&error));
    return __tpm_result(error, (long)count);
}

/* POSIX recv: receives what is there, or waits for something; all that was asked for with MSG_WAITALL; 0 at the end. */
long recv(int fd, void *to, size_t most, int flags)
{
    long count = receive_once(fd, to, most, flags);
    if (!(flags & MSG_WAITALL) || (flags & (MSG_PEEK | MSG_DONTWAIT)))
        return count;
    long all = count;
    while (count > 0 && (size_t)all < most) {
        count = receive_once(fd, (unsigned char *)to + all, most - (size_t)all, flags);
        if (count > 0)
            all += count;
    }
    return all;
}

/* POSIX recvfrom: the same; the address of the sender is not given of a stream. */
long recvfrom(int fd, void *to, size_t most, int flags, void *address, unsigned *length)
{
    long count = recv(fd, to, most, flags);
    if (address && count >= 0)
        *length = 0;
    return count;
}

static int send_some(int fd, const unsigned char *bytes, size_t *count, int flags)
{
    int error;
    struct __tpm_open *open = __tpm_open_socket(fd, &error);
    return error ? error : __tpm_transmit(open, bytes, count, flags);
}

/* POSIX send: sends bytes; EPIPE, after SIGPIPE, if nobody can receive them any more. */
long send(int fd, const void *from, size_t count, int flags)
{
    int error;
    do {
        unsigned char *bytes = __tpm_copy_of(from, count);
        __tpm_cancel_point();
        __tp_atomic_begin();
        error = send_some(fd, bytes, &count, flags);
        __tp_free(bytes);
        __tp_atomic_end();
    } while (__tpm_goes_on(&error));
    if (error == EPIPE && !(flags & MSG_NOSIGNAL))
        __tpm_broken_pipe();
    return __tpm_result(error, (long)count);
}

/* POSIX sendto: the same; the address is that of the connection. */
long sendto(int fd, const void *from, size_t count, int flags, const void *address, unsigned length)
{
    (void)address;
    (void)length;
    return send(fd, from, count, flags);
}

struct part {
    void *base;
    size_t length;
};

/* struct msghdr. */
struct message {
    void *name;
    unsigned name_length;
    struct part *parts;
    size_t count;
    void *control;
    size_t control_length;
    int flags;
};

static size_t total(const struct message *message)
{
    size_t length = 0;
    for (size_t i = 0; i < message->count; i++)
        length += message->parts[i].length;
    return length;
}

/* POSIX sendmsg, recvmsg: the bytes are in several places. What is sent beside them (descriptors) is not there. */
long sendmsg(int fd, const struct message *message, int flags)
{
    size_t length = total(message), at = 0;
    unsigned char *bytes = __tp_alloc_record(length, 1);
    for (size_t i = 0; i < message->count; at += message->parts[i++].length)
        if (message->parts[i].length > 0)
            __builtin_memcpy(bytes + at, message->parts[i].base, message->parts[i].length);
    long result = send(fd, bytes, length, flags);
    __tp_free(bytes);
    return result;
}

long recvmsg(int fd, struct message *message, int flags)
{
    size_t length = total(message), at = 0;
    unsigned char *bytes = __tp_alloc_record(length, 1);
    long result = recv(fd, bytes, length, flags);
    for (size_t i = 0; i < message->count && result > (long)at; i++) {
        size_t left = (size_t)result - at, n = left < message->parts[i].length ? left : message->parts[i].length;
        if (n > 0)
            __builtin_memcpy(message->parts[i].base, bytes + at, n);
        at += n;
    }
    __tp_free(bytes);
    message->name_length = 0;
    message->control_length = 0;
    message->flags = 0;
    return result;
}

TP_END
