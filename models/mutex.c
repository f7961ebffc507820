/* Mutexes of POSIX: normal (also: adaptive), recursive and error-checking ones.
 *
 * Uses that POSIX leaves undefined are reported; when that report is switched off, the model does what the C library
 * does. */
#include "mutex.h"

TP_ALL_DO("signal-safe")

TP_ALL_DO("lock-code")
TP_ALL_DO("own-number")

TP_DOES("reset 0 mutex")
void __tpm_mutex_make(struct __tpm_mutex *m, int kind)
{
    m->again = 0;
    m->owner = 0;
    m->kind = kind;
    __tpm_show_call();
}

/* POSIX pthread_mutex_init: makes an unlocked mutex of the type that the attributes say. */
TP_DOES("reset 0 mutex")
int pthread_mutex_init(struct __tpm_mutex *m, const int *attributes)
{
    __tpm_mutex_make(m, attributes ? *attributes & MUTEX_KIND : MUTEX_NORMAL);
    return 0;
}

/* POSIX pthread_mutex_destroy: the mutex may not be used any more. Destroying a locked one is undefined: reported. */
TP_DOES("reset 0 mutex")
TP_DOES("destroy 0")
int pthread_mutex_destroy(struct __tpm_mutex *m)
{
    __tp_atomic_begin();
    __tp_assert((int)__tpm_quiet_look((unsigned *)&m->kind) != MUTEX_DESTROYED, TP_LOCK,
                "destroy of a mutex that is already destroyed");
    unsigned owner = __tpm_quiet_look(&m->owner);
    __tp_assert(owner == 0, TP_LOCK, "destroy of a mutex that is locked");
    int error = owner == 0 ? 0 : EBUSY;
    if (!error)
        __tpm_quiet_set((unsigned *)&m->kind, MUTEX_DESTROYED);
    __tp_atomic_end();
    return error;
}

/* The kind of a mutex that may be locked; in an atomic step. */
static int usable_kind(struct __tpm_mutex *m, _Bool c11)
{
    int kind = m->kind;
    __tp_assert(kind != MUTEX_DESTROYED, TP_LOCK, "lock of a mutex that is destroyed");
    __tp_assert(!c11 || (kind & MUTEX_C11), TP_LOCK, "lock of a mutex that is not initialised");
    return kind == MUTEX_DESTROYED ? kind : kind & MUTEX_KIND;
}

static int lock_again(struct __tpm_mutex *m)
{
    if (m->again == 0xffffffffu)
        return EAGAIN;
    m->again++;
    return 0;
}

TP_DOES("names-thread 0 8 1")
static void take(struct __tpm_mutex *m)
{
    m->owner = __tpm_me();
    __tp_acquired(m, TP_EXCLUSIVE);
}

/* EINTR: a handler has to run before this thread goes on waiting. */
static int lock(struct __tpm_mutex *m, _Bool c11)
{
    int error = 0;
    __tp_atomic_begin();
    int kind = usable_kind(m, c11);
    unsigned owner = m->owner;
    if (kind == MUTEX_DESTROYED) {
        error = EINVAL;
    } else if (kind == MUTEX_RECURSIVE && owner == __tpm_me()) {
        error = lock_again(m);
    } else if (kind == MUTEX_ERRORCHECK && owner == __tpm_me()) {
        error = EDEADLK;
    } else {
        __tp_waiting(TP_WAIT_MUTEX, m, owner - 1);
        if (__tpm_await(owner == 0))
            take(m);
        else
            error = EINTR;
    }
    __tp_atomic_end();
    return error;
}

int __tpm_mutex_lock(struct __tpm_mutex *m, _Bool c11)
{
    int error = lock(m, c11);
    if (__tp_option_signals == TP_HANDLERS) {
        while (error == EINTR) {
            __tpm_interrupted();
            error = lock(m, c11);
        }
    }
    return error;
}

/* A timed lock may time out whenever the mutex is held, however far the deadline is. So it never takes part in a
 * deadlock. */
int __tpm_mutex_try(struct __tpm_mutex *m, int busy, _Bool c11)
{
    int error = 0;
    __tp_atomic_begin();
    int kind = usable_kind(m, c11);
    unsigned owner = __tpm_peek(&m->owner);
    if (kind == MUTEX_DESTROYED) {
        error = EINVAL;
    } else if (kind == MUTEX_RECURSIVE && owner == __tpm_me()) {
        error = lock_again(m);
    } else if (kind == MUTEX_ERRORCHECK && owner == __tpm_me() && busy != EBUSY) {
        error = EDEADLK;
    } else if (owner != 0) {
        error = busy;
    } else {
        __tpm_read_again(&m->owner);
        take(m);
    }
    __tp_atomic_end();
    return error;
}

/* As in the C library, a mutex that is free is taken whatever the deadline is. */
int __tpm_mutex_try_until(struct __tpm_mutex *m, int clock, const void *moment, _Bool c11)
{
    struct __tpm_deadline deadline = __tpm_read_deadline(moment);
    __tp_atomic_begin();
    unsigned owner = __tpm_peek(&m->owner);
    __tpm_rest_until(owner == 0 || owner == __tpm_me() || !__tpm_is_valid(deadline), clock, deadline);
    int error = __tpm_mutex_try(m, ETIMEDOUT, c11);
    if (error == ETIMEDOUT && !__tpm_is_valid(deadline))
        error = EINVAL;
    if (error == ETIMEDOUT)
        __tpm_time_is_up(clock, deadline);
    __tp_atomic_end();
    return error;
}

/* POSIX pthread_mutex_lock: waits until the mutex is free and takes it. An owner that locks again waits for itself
 * (normal), gets EDEADLK (error-checking), or holds it once more (recursive). */
TP_DOES("lock 0 exclusive mutex")
int pthread_mutex_lock(struct __tpm_mutex *m)
{
    return __tpm_mutex_lock(m, 0);
}

/* POSIX pthread_mutex_trylock: as lock, but EBUSY instead of waiting. */
TP_DOES("try 0 exclusive mutex")
int pthread_mutex_trylock(struct __tpm_mutex *m)
{
    return __tpm_mutex_try(m, EBUSY, 0);
}

/* POSIX pthread_mutex_timedlock: as lock, but ETIMEDOUT when the mutex does not become free in time. */
TP_DOES("try 0 exclusive mutex")
int pthread_mutex_timedlock(struct __tpm_mutex *m, const void *deadline)
{
    return __tpm_mutex_try_until(m, REALTIME, deadline, 0);
}

/* The C library's pthread_mutex_clocklock: as timedlock, by another clock. */
TP_DOES("try 0 exclusive mutex")
int pthread_mutex_clocklock(struct __tpm_mutex *m, int clock, const void *deadline)
{
    if (clock != REALTIME && clock != MONOTONIC)
        return EINVAL;
    return __tpm_mutex_try_until(m, clock, deadline, 0);
}

TP_DOES("unlock 0 mutex")
int __tpm_mutex_release(struct __tpm_mutex *m)
{
    /* Quiet: an unlock by a thread that does not hold the mutex must not synchronise. */
    unsigned owner = __tpm_quiet_look(&m->owner);
    int kind = m->kind;
    _Bool mine = owner == __tpm_me();
    __tp_assert(kind != MUTEX_DESTROYED, TP_LOCK, "unlock of a mutex that is destroyed");
    if (kind == MUTEX_DESTROYED)
        return EINVAL;
    kind &= MUTEX_KIND;
    if (!mine && (kind == MUTEX_RECURSIVE || kind == MUTEX_ERRORCHECK))
        return EPERM;
    __tp_assert(owner != 0, TP_LOCK, "unlock of a mutex that is not locked");
    __tp_assert(mine, TP_LOCK, "unlock of a mutex that another thread holds");
    if (kind == MUTEX_RECURSIVE && m->again > 0) {
        m->again--;
        return 0;
    }
    m->owner = 0;
    __tp_released(m);
    return 0;
}

/* POSIX pthread_mutex_unlock: frees the mutex, or undoes one lock of a recursive one. From a thread that does not hold
 * it: EPERM for the recursive and error-checking types, undefined and reported for the others. */
TP_DOES("unlock 0 mutex")
int pthread_mutex_unlock(struct __tpm_mutex *m)
{
    __tp_atomic_begin();
    int error = __tpm_mutex_release(m);
    __tp_atomic_end();
    return error;
}

TP_END

TP_END

TP_END
