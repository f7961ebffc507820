/* Semaphores of POSIX, the unnamed ones. */
#include "internal.h"

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

/* POSIX sem_wait: waits until the value is above zero and takes one from it. */
int sem_wait(struct semaphore *s)
{
    __tpm_cancel_point();
    __tp_atomic_begin();
    __tp_assert(!s->destroyed, TP_LOCK, "wait on a semaphore that is destroyed");
    unsigned value = s->value; /* the posts so far happen before this, other waits do not */
    __tp_waiting(TP_WAIT_SEMAPHORE, s, TP_NOBODY);
    __tp_await((value > 0) | __tpm_is_cancelled());
    _Bool ends = __tpm_ends_here(value > 0);
    if (!ends)
        __tpm_quiet_add(&s->value, -1u);
    __tp_atomic_end();
    __tpm_end_if(ends);
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
    __tpm_rest_until(ready | __tpm_is_cancelled(), clock, deadline);
    _Bool ends = __tpm_ends_here(ready);
    int error = ends ? 0 : take(s, ETIMEDOUT);
    __tp_atomic_end();
    __tpm_end_if(ends);
    if (error)
        __tpm_time_is_up(clock, deadline);
    return error;
}

/* POSIX sem_timedwait: as wait, but ETIMEDOUT when the time is up, which here may be whenever the value is zero. */
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
