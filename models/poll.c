/* <poll.h> and <sys/select.h>: waiting for one of several descriptors. */
#include "special.h"
#include "signals.h"

TP_ALL_DO("signal-safe")

enum { POLLNVAL = 32, POLLRDNORM = 64, POLLRDBAND = 128, POLLWRNORM = 256, POLLWRBAND = 512 };

struct pollfd {
    int fd;
    short events;
    short revents;
};

/* What of `events` counts: errors and the end of a stream always. */
static unsigned wanted(const struct pollfd *p)
{
    return (unsigned short)p->events | EPOLLERR | EPOLLHUP;
}

/* Fills in what happened; returns for how many descriptors something did. */
static int results(struct pollfd *all, unsigned long count, struct __tpm_prospect *prospect)
{
    unsigned long last = count;
    int ready = 0;
    for (unsigned long i = 0; prospect->comes && i < count; i++) {
        const struct __tpm_open *open = __tpm_description(all[i].fd);
        if (open && (__tpm_coming(open) & wanted(&all[i])))
            last = i;
    }
    for (unsigned long i = 0; i < count; i++) {
        struct __tpm_open *open = __tpm_description(all[i].fd);
        if (open && prospect->comes)
            all[i].revents = (short)__tpm_settle(prospect, open, wanted(&all[i]), i == last);
        else if (open)
            all[i].revents = (short)(__tpm_events(open) & wanted(&all[i]));
        else
            all[i].revents = all[i].fd < 0 ? 0 : POLLNVAL;
        ready += all[i].revents != 0;
    }
    return ready;
}

static enum __tpm_woken wait(struct pollfd *all, unsigned long count, const struct __tpm_limit *limit, int *ready)
{
    struct __tpm_prospect prospect = {0};
    for (unsigned long i = 0; i < count; i++) {
        const struct __tpm_open *open = __tpm_description(all[i].fd);
        if (open)
            __tpm_look(&prospect, open, wanted(&all[i]));
        else if (all[i].fd >= 0)
            prospect.is_there = 1;
        all[i].revents = 0;
    }
    enum __tpm_woken woken = __tpm_wait(&prospect, limit, 0);
    *ready = woken == BY_EVENT ? results(all, count, &prospect) : 0;
    for (unsigned long i = 0; woken == BY_TIME && prospect.comes && i < count; i++)
        if (__tpm_description(all[i].fd))
            __tpm_is_late(__tpm_description(all[i].fd), wanted(&all[i]));
    return woken;
}

/* Outside of steps. To free a record there is a step of its own, so a few descriptors need none. */
enum { FEW = 16 };

static int poll_until(struct pollfd *all, unsigned long count, const struct __tpm_limit *limit)
{
    struct pollfd few[FEW], *own = few;
    enum __tpm_woken woken;
    int ready = 0;
    if (count > FEW)
        own = __tp_alloc_record(count * sizeof *own, sizeof(int));
    for (unsigned long i = 0; i < count; i++)
        own[i] = all[i];
    do {
        __tpm_cancel_point();
        __tp_atomic_begin();
        woken = wait(own, count, limit, &ready);
        __tp_atomic_end();
    } while (__tpm_begins_again(woken, &ready));
    for (unsigned long i = 0; ready >= 0 && i < count; i++)
        all[i].revents = own[i].revents;
    if (count > FEW)
        __tp_free(own);
    return ready;
}

static struct __tpm_limit for_ever(void)
{
    struct __tpm_limit limit = { FOR_EVER, {0, 0}, {0, 0} };
    return limit;
}

/* POSIX poll: waits until one of the descriptors is ready, or the time in milliseconds is up. */
int poll(struct pollfd *all, unsigned long count, int time)
{
    struct __tpm_limit limit = time < 0 ? for_ever() : __tpm_limit_of(time / 1000, time % 1000 * 1000000L);
    return poll_until(all, count, &limit);
}

/* A span as a struct timespec; false: there is none such. */
static _Bool read_span(const void *span, struct __tpm_limit *limit)
{
    struct __tpm_deadline time = __tpm_read_deadline(span);
    _Bool is_valid = time.seconds >= 0 && __tpm_is_valid(time);
    if (is_valid)
        *limit = __tpm_limit_of(time.seconds, time.nanoseconds);
    return is_valid;
}

/* POSIX ppoll: the same with the time as a struct timespec, while these signals are blocked. */
TP_DOES("signals")
int ppoll(struct pollfd *all, unsigned long count, const void *span, const __tpm_signals *set)
{
    struct __tpm_limit limit = for_ever();
    if (span && !read_span(span, &limit))
        return (int)__tpm_result(EINVAL, 0);
    if (!set)
        return poll_until(all, count, &limit);
    __tpm_signals before = __tpm_exchange_blocked(*set);
    int ready = poll_until(all, count, &limit);
    __tpm_exchange_blocked(before);
    return ready;
}

/* fd_set: 1024 bits. */
enum { MOST = 1024, BITS = 8 * sizeof(long), WORDS = MOST / BITS };

/* The parts of the sets that are looked at. */
struct sets {
    unsigned long read[WORDS], write[WORDS], except[WORDS];
};

static _Bool has(const unsigned long *set, int fd)
{
    return set[fd / (int)BITS] >> (fd % (int)BITS) & 1;
}

/* As Linux does: a descriptor at its end or with an error can be read, and one with an error written. */
static unsigned events_for(const struct sets *sets, int fd)
{
    return (has(sets->read, fd) ? EPOLLIN | EPOLLRDNORM | EPOLLHUP | EPOLLERR : 0u)
           | (has(sets->write, fd) ? EPOLLOUT | EPOLLWRNORM | EPOLLERR : 0u);
}

static _Bool is_in_any(const struct sets *sets, int fd)
{
    return has(sets->read, fd) || has(sets->write, fd) || has(sets->except, fd);
}

/* Removes from a set what is not ready; returns how many remain. */
static int keep(unsigned long *set, int fd, _Bool is_ready)
{
    if (!has(set, fd))
        return 0;
    if (!is_ready)
        set[fd / (int)BITS] &= ~(1ul << (fd % (int)BITS));
    return is_ready;
}

static int keep_in_all(struct sets *sets, int fd, unsigned events)
{
    keep(sets->except, fd, 0);
    return keep(sets->read, fd, (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0)
           + keep(sets->write, fd, (events & (EPOLLOUT | EPOLLERR)) != 0);
}

static int select_results(struct sets *sets, int count, struct __tpm_prospect *prospect)
{
    int last = count, ready = 0;
    for (int fd = 0; prospect->comes && fd < count; fd++)
        if (is_in_any(sets, fd) && (__tpm_coming(__tpm_description(fd)) & events_for(sets, fd)))
            last = fd;
    for (int fd = 0; fd < count; fd++) {
        if (!is_in_any(sets, fd))
            continue;
        struct __tpm_open *open = __tpm_description(fd);
        ready += keep_in_all(sets, fd, prospect->comes ? __tpm_settle(prospect, open, events_for(sets, fd), fd == last)
                                                       : __tpm_events(open) & events_for(sets, fd));
    }
    return ready;
}

static enum __tpm_woken select_step(struct sets *sets, int count, const struct __tpm_limit *limit, int *ready, int *error)
{
    struct __tpm_prospect prospect = {0};
    enum __tpm_woken woken = BY_EVENT;
    *error = 0;
    for (int fd = 0; fd < count; fd++) {
        const struct __tpm_open *open = __tpm_description(fd);
        if (is_in_any(sets, fd) && open)
            __tpm_look(&prospect, open, events_for(sets, fd));
        else if (is_in_any(sets, fd))
            *error = EBADF;
    }
    if (!*error)
        woken = __tpm_wait(&prospect, limit, 0);
    for (int fd = 0; woken == BY_TIME && fd < count; fd++) {
        if (is_in_any(sets, fd))
            __tpm_is_late(__tpm_description(fd), events_for(sets, fd));
        keep_in_all(sets, fd, 0);
    }
    *ready = woken == BY_EVENT && !*error ? select_results(sets, count, &prospect) : 0;
    return woken;
}

static int words_of(int count)
{
    return (count + (int)BITS - 1) / (int)BITS;
}

static void copy(unsigned long *to, const unsigned long *from, int count)
{
    for (int i = 0; i < words_of(count); i++)
        to[i] = from ? from[i] : 0;
}

static void give_back(unsigned long *to, const unsigned long *own, int count)
{
    for (int i = 0; to && i < words_of(count); i++)
        to[i] = own[i];
}

/* The sets of the caller. */
struct places {
    unsigned long *read, *write, *except;
};

static int select_until(int count, const struct places *sets, const struct __tpm_limit *limit)
{
    struct sets own;
    enum __tpm_woken woken;
    int ready = 0, error = 0;
    if (count < 0)
        return (int)__tpm_result(EINVAL, 0);
    if (count > MOST)
        count = MOST;
    copy(own.read, sets->read, count);
    copy(own.write, sets->write, count);
    copy(own.except, sets->except, count);
    do {
        __tpm_cancel_point();
        __tp_atomic_begin();
        woken = select_step(&own, count, limit, &ready, &error);
        __tp_atomic_end();
    } while (__tpm_begins_again(woken, &ready));
    if (error)
        return (int)__tpm_result(error, 0);
    if (ready >= 0) {
        give_back(sets->read, own.read, count);
        give_back(sets->write, own.write, count);
        give_back(sets->except, own.except, count);
    }
    return ready;
}

struct timeval {
    long seconds;
    long microseconds;
};

/* POSIX select: waits until a descriptor below `count` is ready that is in one of the sets, which keep those that are. As
 * on Linux, the time that is left is stored: here all of it, or nothing. */
int select(int count, unsigned long *read, unsigned long *write, unsigned long *except, struct timeval *span)
{
    struct places sets = { read, write, except };
    struct timeval time = {0, 0};
    struct __tpm_limit limit = for_ever();
    if (span)
        time = *span;
    if (time.seconds < 0 || time.microseconds < 0)
        return (int)__tpm_result(EINVAL, 0);
    if (span)
        limit = __tpm_limit_of(time.seconds + time.microseconds / 1000000, time.microseconds % 1000000 * 1000);
    int ready = select_until(count, &sets, &limit);
    if (span && ready == 0)
        span->seconds = span->microseconds = 0;
    return ready;
}

/* POSIX pselect: the same with a struct timespec, which stays as it is, while these signals are blocked. */
TP_DOES("signals")
int pselect(int count, unsigned long *read, unsigned long *write, unsigned long *except, const void *span,
            const __tpm_signals *set)
{
    struct places sets = { read, write, except };
    struct __tpm_limit limit = for_ever();
    if (span && !read_span(span, &limit))
        return (int)__tpm_result(EINVAL, 0);
    if (!set)
        return select_until(count, &sets, &limit);
    __tpm_signals before = __tpm_exchange_blocked(*set);
    int ready = select_until(count, &sets, &limit);
    __tpm_exchange_blocked(before);
    return ready;
}

/* The C library's check of FD_SET under _FORTIFY_SOURCE. */
long __fdelt_chk(long fd)
{
    __tp_assert(fd >= 0 && fd < MOST, TP_ASSERT, "a descriptor is too large for a set of descriptors");
    return fd / (long)BITS;
}

TP_END
