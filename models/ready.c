/* What descriptors are ready for, and waiting for that. */
#include "special.h"

static unsigned pipe_events(const struct __tpm_open *open)
{
    const struct __tpm_file *pipe = open->file;
    unsigned events = 0;
    if ((open->flags & O_ACCMODE) != O_WRONLY) {
        if (open->offset < pipe->size)
            events |= EPOLLIN | EPOLLRDNORM;
        if (pipe->writers == 0)
            events |= EPOLLHUP;
    }
    if ((open->flags & O_ACCMODE) != O_RDONLY) {
        if (pipe->size + PIPE_BUF <= PIPE_ROOM)
            events |= EPOLLOUT | EPOLLWRNORM;
        if (pipe->readers == 0)
            events |= EPOLLERR;
    }
    return events;
}

static unsigned counter_events(const struct __tpm_counter *counter)
{
    unsigned events = 0;
    if (counter->count > 0)
        events |= EPOLLIN;
    if (counter->count < ~1ull)
        events |= EPOLLOUT;
    return events;
}

static unsigned timer_events(const struct __tpm_timer *timer)
{
    return timer->expired > 0 || __tpm_is_due(timer) ? EPOLLIN : 0;
}

unsigned __tpm_events(const struct __tpm_open *open)
{
    switch (open->file->kind) {
    case PIPE: return pipe_events(open);
    case EVENTS: return counter_events((const struct __tpm_counter *)open->file);
    case TIMER: return timer_events((const struct __tpm_timer *)open->file);
    case SOCKET: return __tpm_socket_events(open);
    case EPOLL: return __tpm_epoll_events(open->file);
    default: return EPOLLIN | EPOLLOUT | EPOLLRDNORM | EPOLLWRNORM;
    }
}

static unsigned timer_coming(const struct __tpm_timer *timer)
{
    return timer->is_armed && timer->expired == 0 && !__tpm_is_due(timer) ? EPOLLIN : 0;
}

unsigned __tpm_coming(const struct __tpm_open *open)
{
    if (open->file->kind == SOCKET)
        return __tpm_socket_coming(open);
    return open->file->kind == TIMER ? timer_coming((const struct __tpm_timer *)open->file) : 0;
}

static void let_come(struct __tpm_open *open)
{
    if (open->file->kind == TIMER)
        __tpm_expire((struct __tpm_timer *)open->file);
    else
        __tpm_socket_comes(open);
}

void __tpm_is_late(struct __tpm_open *open, unsigned wanted)
{
    if (open->file->kind == SOCKET && (__tpm_socket_coming(open) & wanted))
        __tpm_socket_is_late(open);
}

static _Bool is_before(const struct __tpm_moment *a, const struct __tpm_moment *b)
{
    return a->seconds < b->seconds || (a->seconds == b->seconds && a->nanoseconds < b->nanoseconds);
}

void __tpm_look(struct __tpm_prospect *prospect, const struct __tpm_open *open, unsigned wanted)
{
    if (__tpm_events(open) & wanted)
        prospect->is_there = 1;
    if (open->file->kind == SOCKET && (wanted & EPOLLIN) && __tpm_socket_listens(open))
        prospect->listens = 1;
    if (!(__tpm_coming(open) & wanted))
        return;
    prospect->comes = 1;
    if (open->file->kind != TIMER)
        return;
    const struct __tpm_moment *in = &((const struct __tpm_timer *)open->file)->first;
    if (!prospect->by_time || is_before(in, &prospect->soonest)) {
        prospect->soonest.seconds = in->seconds;
        prospect->soonest.nanoseconds = in->nanoseconds;
    }
    prospect->by_time = 1;
}

struct __tpm_limit __tpm_limit_of(long long seconds, long nanoseconds)
{
    struct __tpm_limit limit = { FOR_SOME_TIME, { (unsigned long long)seconds, (unsigned)nanoseconds }, { 0, 0 } };
    if (seconds == 0 && nanoseconds == 0)
        limit.kind = NOT_AT_ALL;
    if (__tp_option_clock) {
        __tp_atomic_begin();
        struct __tpm_moment then = __tpm_moment_in(limit.span.seconds, limit.span.nanoseconds);
        limit.then.seconds = then.seconds;
        limit.then.nanoseconds = then.nanoseconds;
        __tp_atomic_end();
    }
    return limit;
}

/* How long it sleeps at most when nothing is there. */
static const struct __tpm_moment *longest(const struct __tpm_prospect *prospect, const struct __tpm_limit *limit)
{
    if (limit->kind == FOR_EVER || (prospect->by_time && is_before(&prospect->soonest, &limit->span)))
        return &prospect->soonest;
    return &limit->span;
}

/* Whether what comes is there before the time is up: surely if it needs less time. */
static _Bool comes_in_time(const struct __tpm_prospect *prospect, const struct __tpm_limit *limit)
{
    if (!prospect->comes)
        return 0;
    return limit->kind == FOR_EVER || (prospect->by_time && is_before(&prospect->soonest, &limit->span))
           || __tp_input_bool("it happens before the time is up");
}

/* A thread that waits for a connection is not in a deadlock: an input decides that it does not come. */
static enum __tpm_woken wait_for_ever(_Bool there, _Bool listens, const void *object)
{
    if (listens && !there)
        __tp_input_bool("a connection never comes");
    __tp_waiting(TP_WAIT_DESCRIPTOR, object ? object : __tpm_first_file(), TP_NOBODY);
    if (!__tpm_await(there || __tpm_is_cancelled()))
        return BY_HANDLER;
    return __tpm_ends_here(there) ? BY_CANCEL : BY_EVENT;
}

/* Sleeps until something is there; whether a handler is to run instead. */
static _Bool sleep(const struct __tpm_prospect *prospect, const struct __tpm_limit *limit)
{
    const struct __tpm_moment *span = longest(prospect, limit);
    _Bool there = prospect->is_there;
    __tp_rest(there || __tpm_is_cancelled() || __tpm_was_sent_signal(), (long long)span->seconds, span->nanoseconds);
    return !there && __tpm_interrupts_wait();
}

enum __tpm_woken __tpm_wait(const struct __tpm_prospect *prospect, const struct __tpm_limit *limit, const void *object)
{
    if (limit->kind == FOR_EVER && !prospect->comes)
        return wait_for_ever(prospect->is_there, prospect->listens, object);
    if (limit->kind != NOT_AT_ALL && sleep(prospect, limit))
        return BY_HANDLER;
    if (__tpm_ends_here(prospect->is_there))
        return BY_CANCEL;
    if (prospect->is_there || comes_in_time(prospect, limit))
        return BY_EVENT;
    if (__tp_option_clock)
        __tpm_reach(&limit->then);
    return BY_TIME;
}

unsigned __tpm_settle(struct __tpm_prospect *prospect, struct __tpm_open *open, unsigned wanted, _Bool is_last)
{
    if (__tpm_coming(open) & wanted) {
        if ((is_last && !prospect->is_there) || __tp_input_bool("it has happened, too")) {
            let_come(open);
            prospect->is_there = 1;
        } else {
            __tpm_is_late(open, wanted);
        }
    }
    return __tpm_events(open) & wanted;
}

_Bool __tpm_begins_again(enum __tpm_woken woken, int *result)
{
    if (__tp_option_cancel && woken == BY_CANCEL)
        __tpm_end_cancelled();
    if (__tp_option_signals == TP_HANDLERS && woken == BY_HANDLER) {
        if (!__tpm_has_handled())
            return 1;
        errno = EINTR;
        *result = -1;
    }
    return 0;
}

_Bool __tpm_goes_on(int *error)
{
    if (__tp_option_cancel && *error == CANCELLED)
        __tpm_end_cancelled();
    if (__tp_option_signals == TP_HANDLERS && *error == BY_SIGNAL) {
        if (!__tpm_interrupted())
            return 1;
        *error = EINTR;
    }
    return 0;
}
