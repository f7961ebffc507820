/* Semaphores of POSIX, the unnamed ones. */
#include "internal.h"

TP_ALL_DO("signal-safe")

enum { SEM_VALUE_MAX = 0x7fffffff };

/* Lies in sem_t (32 or 16 bytes). */
struct semaphore {
    unsigned value;
    int destroyed;
};

/* POSIX sem_init: makes a semaphore with this value, which may be no more than SEM_VALUE_MAX. */
int sem_init(struct semaphore *s, int shared, unsigned value)
{
    (void)shared;
    if (value > SEM_VALUE_MAX) {
        errno = EINVAL;
        return -1;
    }
    s->value = value;
    s->destroyed = 0;
    __tpm_show_call();
    return 0;
}

/* POSIX sem_destroy: the semaphore may not be used any more. */
TP_DOES("destroy 0")
int sem_destroy(struct semaphore *s)
{
    __tp_atomic_begin();
    __tp_assert(!s->destroyed, TP_LOCK, "destroy of a semaphore that is already destroyed");
    s->destroyed = 1;
    __tp_atomic_end();
    return 0;
}

/* Whether it was not interrupted. */
static _Bool wait(struct semaphore *s)
{
    __tpm_cancel_point();
    __tp_atomic_begin();
    __tp_assert(!s->destroyed, TP_LOCK, "wait on a semaphore that is destroyed");
    unsigned value = s->value; /* the posts so far happen before this, other waits do not */
    __tp_waiting(TP_WAIT_SEMAPHORE, s, TP_NOBODY);
    _Bool goes_on = __tpm_await(value > 0 || __tpm_is_cancelled());
    _Bool ends = goes_on && __tpm_ends_here(value > 0);
    if (goes_on && !ends)
        __tpm_quiet_add(&s->value, -1u);
    __tp_atomic_end();
    if (__tp_option_cancel && ends)
        __tpm_end_cancelled();
    return goes_on;
}

/* POSIX sem_wait: waits until the value is above zero and takes one from it; EINTR if a handler was run meanwhile. */
int sem_wait(struct semaphore *s)
{
    _Bool ready = wait(s);
    if (__tp_option_signals == TP_HANDLERS) {
        for (; !ready; ready = wait(s)) {
            if (__tpm_interrupted()) {
                errno = EINTR;
                return -1;
            }
        }
    }
    return 0;
}

static int take(struct semaphore *s, int error)
{
    __tp_atomic_begin();
    __tp_assert(!s->destroyed, TP_LOCK, "wait on a semaphore that is destroyed");
    unsigned value = __tpm_peek(&s->value);
    if (value > 0) {
        __tpm_read_again(&s->value);
        __tpm_quiet_add(&s->value, -1u);
    }
    __tp_atomic_end();
    if (value > 0)
        return 0;
    errno = error;
    return -1;
}

/* POSIX sem_trywait: as wait, but EAGAIN instead of waiting. */
int sem_trywait(struct semaphore *s)
{
    return take(s, EAGAIN);
}

static int fail(int error)
{
    errno = error;
    return -1;
}

/* The C library's sem_clockwait: as timedwait, by another clock. */
int sem_clockwait(struct semaphore *s, int clock, const void *moment)
{
    struct __tpm_deadline deadline = __tpm_read_deadline(moment);
    if ((clock != REALTIME && clock != MONOTONIC) || !__tpm_is_valid(deadline))
        return fail(EINVAL);
    __tpm_cancel_point();
    __tp_atomic_begin();
    _Bool ready = __tpm_peek(&s->value) > 0;
    __tpm_rest_until(ready || __tpm_is_cancelled() || __tpm_was_sent_signal(), clock, deadline);
    _Bool ends = __tpm_ends_here(ready);
    int signal = ends || ready ? 0 : __tpm_ends_wait();
    int error = ends || signal ? 0 : take(s, ETIMEDOUT);
    if (error)
        __tpm_time_is_up(clock, deadline);
    __tp_atomic_end();
    if (__tp_option_cancel && ends)
        __tpm_end_cancelled();
    if (__tp_option_signals == TP_HANDLERS && signal) {
        __tpm_handle(signal);
        return fail(EINTR);
    }
    return error;
}

/* POSIX sem_timedwait: as wait, but ETIMEDOUT when the time is up, which here may be whenever the value is zero. After a
 * handler it fails with EINTR, also with SA_RESTART: Linux goes on with a wait only if it has no limit. */
int sem_timedwait(struct semaphore *s, const void *deadline)
{
    return sem_clockwait(s, REALTIME, deadline);
}

/* POSIX sem_post: adds one to the value, which lets a waiting thread go on; EOVERFLOW at SEM_VALUE_MAX. */
int sem_post(struct semaphore *s)
{
    __tp_atomic_begin();
    __tp_assert(!s->destroyed, TP_LOCK, "post of a semaphore that is destroyed");
    unsigned value = __tpm_quiet_look(&s->value);
    if (value < SEM_VALUE_MAX)
        __tpm_quiet_add_and_publish(&s->value, 1);
    __tp_atomic_end();
    if (value < SEM_VALUE_MAX)
        return 0;
    errno = EOVERFLOW;
    return -1;
}

/* POSIX sem_getvalue: stores the value; 0 when threads wait. It does not synchronise. */
int sem_getvalue(struct semaphore *s, int *value)
{
    __tp_atomic_begin();
    __tp_assert(!s->destroyed, TP_LOCK, "use of a semaphore that is destroyed");
    unsigned now = __tpm_peek(&s->value);
    __tp_atomic_end();
    *value = (int)now;
    return 0;
}

TP_END
