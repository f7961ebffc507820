/* Options of sockets: those that the program can observe, and others that are only remembered. */
#include "sockets.h"

TP_ALL_DO("signal-safe")

enum { SOL_SOCKET = 1, SO_REUSEADDR = 2, SO_TYPE = 3, SO_ERROR = 4, SO_SNDBUF = 7, SO_RCVBUF = 8, SO_LINGER = 13,
       SO_RCVTIMEO = 20, SO_SNDTIMEO = 21, SO_ACCEPTCONN = 30, SO_PROTOCOL = 38, SO_DOMAIN = 39, BOOLEANS = 20 };

struct timeval {
    long seconds;
    long microseconds;
};

/* POSIX setsockopt: sets an option; those of other levels than SOL_SOCKET, and sizes of buffers, are accepted. */
int setsockopt(int fd, int level, int option, const void *value, unsigned length)
{
    _Bool is_span = level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO);
    struct timeval span = {0, 0};
    int number = 0, error;
    if (is_span && length >= sizeof span)
        span = *(const struct timeval *)value;
    else if (!is_span && length >= sizeof number)
        number = *(const int *)value;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_open_socket(fd, &error);
    struct __tpm_socket *s = error ? 0 : __tpm_socket_of(open);
    if (!error && length < (is_span ? sizeof span : sizeof number))
        error = EINVAL;
    else if (!error && is_span && (span.microseconds < 0 || span.microseconds >= 1000000))
        error = EDOM;
    if (!error && is_span && option == SO_RCVTIMEO) {
        s->read_limit.seconds = (unsigned long long)span.seconds;
        s->read_limit.nanoseconds = (unsigned)span.microseconds * 1000;
    } else if (!error && level == SOL_SOCKET && option > 0 && option < BOOLEANS) {
        s->options &= ~(1u << option);
        s->options |= (unsigned)(number != 0) << option;
    }
    __tp_atomic_end();
    return (int)__tpm_result(error, 0);
}

static int value_of(struct __tpm_socket *s, int option)
{
    int value = 0;
    switch (option) {
    case SO_TYPE: return SOCK_STREAM;
    case SO_ERROR:
        value = s->error;
        s->error = 0;
        return value;
    case SO_SNDBUF:
    case SO_RCVBUF: return 212992;
    case SO_ACCEPTCONN: return s->state == LISTENING;
    case SO_DOMAIN: return s->family;
    case SO_PROTOCOL: return s->family == AF_UNIX ? 0 : 6;
    default: return option > 0 && option < BOOLEANS ? s->options >> option & 1 : 0;
    }
}

/* POSIX getsockopt: the value of an option; SO_ERROR is how a connect ended that did not wait. */
int getsockopt(int fd, int level, int option, void *to, unsigned *length)
{
    int value = 0, error;
    __tp_atomic_begin();
    struct __tpm_open *open = __tpm_open_socket(fd, &error);
    if (!error && level == SOL_SOCKET)
        value = value_of(__tpm_socket_of(open), option);
    __tp_atomic_end();
    if (error)
        return (int)__tpm_result(error, 0);
    unsigned room = *length;
    if (room >= sizeof value) {
        *(int *)to = value;
        *length = sizeof value;
    }
    return 0;
}

TP_END
