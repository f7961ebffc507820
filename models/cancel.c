/* Cancellation of POSIX: pthread_cancel asks a thread to end, and the thread does so at its next cancellation point, unless it
 * has switched that off. pthread_cancel itself is in thread.c.
 *
 * A function that waits and is a cancellation point waits for the request as well (`__tpm_is_cancelled` in internal.h).
 * Programs without pthread_cancel have none of this code (`__tp_option_cancel`).
 *
 * Asynchronous cancellation can act between any two instructions. A thread that asks for it, in a program that cancels
 * threads, is reported as a function without a model. */
#include "internal.h"

TP_ALL_DO("signal-safe")

_Noreturn void pthread_exit(void *result);

enum { ENABLE = 0, DISABLE = 1, DEFERRED = 0, ASYNCHRONOUS = 1 };

#define CANCELED ((void *)-1L)

static _Thread_local int state = ENABLE;
static _Thread_local int type = DEFERRED;
static _Thread_local _Bool is_ending;

_Bool __tpm_cancel_pending(void)
{
    if (!__tp_option_cancel)
        return 0; /* so that such programs have no relaxed load here */
    return state == ENABLE && !is_ending && __atomic_load_n(__tpm_cancel_request(), __ATOMIC_RELAXED) != 0;
}

void __tpm_ignore_cancel(void)
{
    is_ending = 1;
}

_Noreturn void __tpm_end_cancelled(void)
{
    pthread_exit(CANCELED);
}

void __tpm_test_cancel(void)
{
    __tp_atomic_begin();
    _Bool ends = __tpm_cancel_pending();
    __tp_atomic_end();
    if (ends)
        __tpm_end_cancelled();
}

/* POSIX pthread_testcancel: a cancellation point, and nothing else. */
void pthread_testcancel(void)
{
    __tpm_cancel_point();
}

/* POSIX pthread_setcancelstate: whether the thread can be cancelled. A request that comes meanwhile is kept. */
int pthread_setcancelstate(int new, int *old)
{
    if (new != ENABLE && new != DISABLE)
        return EINVAL;
    if (old)
        *old = state;
    state = new;
    return 0;
}

/* POSIX pthread_setcanceltype: whether the thread can be cancelled at cancellation points only. */
int pthread_setcanceltype(int new, int *old)
{
    if (new != DEFERRED && new != ASYNCHRONOUS)
        return EINVAL;
    if (__tp_option_cancel && new == ASYNCHRONOUS)
        __tp_unsupported("a thread that can be cancelled at any moment");
    if (old)
        *old = type;
    type = new;
    return 0;
}

TP_END
