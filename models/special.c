/* Event counters, timers, epoll instances and sockets, as read, write and close see them. All functions are parts of atomic steps. */
#include "sockets.h"

/* Waits as read and write do; an error number, or 0 when it is ready. */
static int wait_until(const struct __tpm_open *open, _Bool ready)
{
    if (open->flags & O_NONBLOCK)
        return ready ? 0 : EAGAIN;
    __tp_waiting(TP_WAIT_DESCRIPTOR, open->file, TP_NOBODY);
    if (!__tpm_await(ready || __tpm_is_cancelled()))
        return BY_SIGNAL;
    return __tpm_ends_here(ready) ? CANCELLED : 0;
}

/* eventfd(2): reading gives the count, which is 0 afterwards; or 1, which it is less by. */
static int read_counter(const struct __tpm_open *open, struct __tpm_taken *taken)
{
    struct __tpm_counter *counter = (struct __tpm_counter *)open->file;
    int error = wait_until(open, counter->count > 0);
    if (error)
        return error;
    unsigned long long value = counter->is_semaphore ? 1 : counter->count;
    counter->count -= value;
    __tpm_take_bytes(taken, &value, sizeof value);
    __tpm_changed(open->file, EPOLLOUT);
    return 0;
}

/* eventfd(2): writing adds to the count, which stays below 2^64 - 1: it waits for that. */
static int write_counter(const struct __tpm_open *open, const unsigned char *bytes)
{
    struct __tpm_counter *counter = (struct __tpm_counter *)open->file;
    unsigned long long value;
    __builtin_memcpy(&value, bytes, sizeof value);
    if (value == ~0ull)
        return EINVAL;
    int error = wait_until(open, value < ~0ull - counter->count);
    if (error)
        return error;
    counter->count += value;
    __tpm_changed(open->file, EPOLLIN);
    return 0;
}

/* timerfd_create(2): reading waits until the timer has expired, and gives how often. */
static int read_timer(struct __tpm_open *open, struct __tpm_taken *taken)
{
    struct __tpm_timer *timer = (struct __tpm_timer *)open->file;
    struct __tpm_prospect prospect = {0};
    struct __tpm_limit limit = { open->flags & O_NONBLOCK ? NOT_AT_ALL : FOR_EVER, {0, 0}, {0, 0} };
    __tpm_look(&prospect, open, EPOLLIN);
    switch (__tpm_wait(&prospect, &limit, timer)) {
    case BY_TIME: return EAGAIN;
    case BY_HANDLER: return BY_SIGNAL;
    case BY_CANCEL: return CANCELLED;
    default: break;
    }
    if (timer->expired == 0)
        __tpm_expire(timer);
    unsigned long long times = timer->expired;
    timer->expired = 0;
    __tpm_take_bytes(taken, &times, sizeof times);
    return 0;
}

int __tpm_read_special(struct __tpm_open *open, size_t most, struct __tpm_taken *taken)
{
    if (open->file->kind == SOCKET)
        return __tpm_receive(open, most, 0, taken);
    if (most < sizeof(unsigned long long) || open->file->kind == EPOLL)
        return EINVAL;
    return open->file->kind == EVENTS ? read_counter(open, taken) : read_timer(open, taken);
}

int __tpm_write_special(struct __tpm_open *open, const unsigned char *bytes, size_t *count)
{
    if (open->file->kind == SOCKET)
        return __tpm_transmit(open, bytes, count, 0);
    if (*count < sizeof(unsigned long long) || open->file->kind != EVENTS)
        return EINVAL;
    *count = sizeof(unsigned long long);
    return write_counter(open, bytes);
}

struct __tpm_open *__tpm_source(struct __tpm_open *open)
{
    return open->file->kind == SOCKET ? __tpm_socket_of(open)->from : 0;
}

void __tpm_end_special(struct __tpm_file *file)
{
    if (file->kind == EPOLL)
        __tpm_end_epoll(file);
    if (file->kind == SOCKET)
        __tpm_end_socket(file);
    __tp_free(file);
}
