/* Condition variables of POSIX.
 *
 * Each thread has a bit of its own, by its number: `waiting` has the bits of threads that wait for a signal, `taken`
 * also those of threads that were woken and have not left yet. A signal clears one bit of `waiting`, any one; a
 * broadcast clears all. So a signal wakes only a thread that waits at that moment, and is lost if none does. The bits
 * of threads with numbers from 64 on are in further words, in a linked list.
 *
 * A wait is three steps: begin to wait and free the mutex; be woken; lock the mutex again. */
#include "mutex.h"

TP_ALL_DO("signal-safe")
TP_ALL_DO("own-number")

/* Lies in pthread_cond_t (48 bytes), whose static initialiser is all zeros. */
struct places {
    unsigned long long waiting;
    unsigned long long taken;
    struct places *more;
};

struct condition {
    struct places places;
    struct __tpm_mutex *mutex; /* what the latest waiter used */
    int destroyed;
    int clock; /* of timed waits */
};

enum { PLACES = 64 };

static void init_places(struct places *p)
{
    p->waiting = 0;
    p->taken = 0;
    p->more = 0;
}

/* The words that hold the bit of this thread; makes them if necessary. */
static struct places *own_places(struct places *p)
{
    for (unsigned n = __tp_self() / PLACES; n > 0; n--) {
        if (!p->more) {
            p->more = __tp_alloc_record(sizeof *p, sizeof p->waiting);
            init_places(p->more);
        }
        p = p->more;
    }
    return p;
}

static unsigned long long own_bit(void)
{
    return 1ull << __tp_self() % PLACES;
}

/* A place is taken, woken and left by accesses that order nothing, with two exceptions: a woken thread is ordered after
 * the signal, and the destruction of the condition variable after all threads that have left. */
TP_DOES("quiet")
/* The names of further places need not be known: threads with such numbers are never interchangeable. */
TP_DOES("names-threads 0 0")
TP_DOES("names-threads 0 8")
static void __tpm_quiet_take_place(struct places *first)
{
    struct places *p = own_places(first);
    __atomic_fetch_or(&p->taken, own_bit(), __ATOMIC_RELAXED);
    __atomic_fetch_or(&p->waiting, own_bit(), __ATOMIC_RELAXED);
}

TP_DOES("quiet")
static unsigned long long __tpm_quiet_waiting(const struct places *p)
{
    return __atomic_load_n(&p->waiting, __ATOMIC_RELAXED);
}

TP_DOES("quiet")
static void __tpm_quiet_wake(struct places *p, unsigned long long bits)
{
    __atomic_fetch_and(&p->waiting, ~bits, __ATOMIC_RELEASE);
}

static void free_last_places(struct places *p)
{
    if (!p->more)
        return;
    free_last_places(p->more);
    if (!p->more->more && p->more->taken == 0) {
        __tp_free(p->more);
        p->more = 0;
    }
}

static _Bool is_waiting(struct places *first)
{
    return (__tpm_quiet_waiting(own_places(first)) & own_bit()) != 0;
}

TP_DOES("quiet")
static void __tpm_quiet_leave_place(struct places *first)
{
    struct places *p = own_places(first);
    if (!is_waiting(first))
        (void)*(const volatile unsigned long long *)&p->waiting;
    __atomic_fetch_and(&p->waiting, ~own_bit(), __ATOMIC_RELAXED);
    __atomic_fetch_and(&p->taken, ~own_bit(), __ATOMIC_RELEASE);
    free_last_places(first);
}

static _Bool any_waiting(const struct places *p)
{
    for (; p; p = p->more)
        if (__tpm_quiet_waiting(p))
            return 1;
    return 0;
}

/* POSIX pthread_cond_init: makes a condition variable that nobody waits on. */
int pthread_cond_init(struct condition *c, const int *attributes)
{
    init_places(&c->places);
    c->mutex = 0;
    c->destroyed = 0;
    c->clock = attributes ? *attributes & 15 : REALTIME;
    __tpm_show_call();
    return 0;
}

/* POSIX pthread_cond_destroy: the condition variable may not be used any more. While threads wait on it that is
 * undefined: reported. It waits for threads that were woken and have not left yet. */
TP_DOES("destroy 0")
int pthread_cond_destroy(struct condition *c)
{
    __tp_atomic_begin();
    __tp_assert(!c->destroyed, TP_LOCK, "destroy of a condition variable that is already destroyed");
    __tp_assert(!any_waiting(&c->places), TP_LOCK, "destroy of a condition variable that threads wait on");
    __tp_waiting(TP_WAIT_CONDITION, c, TP_NOBODY);
    __tp_await(c->places.taken == 0 && !c->places.more);
    c->destroyed = 1;
    __tp_atomic_end();
    return 0;
}

/* Notes the mutex that a waiter uses. Returns whether it differs from the one before. */
TP_DOES("quiet")
static _Bool __tpm_quiet_change_mutex(struct condition *c, struct __tpm_mutex *m)
{
    _Bool differs = __atomic_load_n(&c->mutex, __ATOMIC_RELAXED) != m;
    if (differs)
        __atomic_store_n(&c->mutex, m, __ATOMIC_RELAXED);
    return differs;
}

/* A thread that wakes spuriously takes no place. But the destruction comes after it, as after those that left one. */
TP_DOES("quiet")
static void __tpm_quiet_pass(struct places *p)
{
    __atomic_fetch_or(&p->taken, 0, __ATOMIC_RELEASE);
}

/* The first step of a wait; the only one, if the thread does not stay. */
static int begin_wait(struct condition *c, struct __tpm_mutex *m, _Bool stays)
{
    __tp_atomic_begin();
    __tp_assert(!c->destroyed, TP_LOCK, "wait on a condition variable that is destroyed");
    __tp_assert(m->owner == __tpm_me(), TP_LOCK, "wait on a condition variable without holding the mutex");
    int error = c->destroyed ? EINVAL : __tpm_mutex_release(m);
    if (!error && __tpm_quiet_change_mutex(c, m))
        __tp_assert(!any_waiting(&c->places), TP_LOCK,
                    "threads wait on one condition variable with different mutexes");
    if (!error && stays)
        __tpm_quiet_take_place(&c->places);
    else if (!error)
        __tpm_quiet_pass(&c->places);
    __tp_atomic_end();
    return error;
}

/* With TP_ONCE, each thread wakes up spuriously at most once. Without a limit, a loop that waits for a condition could
 * be woken for ever. */
static _Thread_local _Bool was_woken;

static _Bool may_be_woken(void)
{
    return __tp_option_spurious_wakeups == TP_ALWAYS || (__tp_option_spurious_wakeups == TP_ONCE && !was_woken);
}

/* Those in `half` or the others, if there are both; inputs decide. */
static unsigned long long any_half(unsigned long long bits, unsigned long long half)
{
    unsigned long long inside = bits & half;
    if (inside && inside != bits)
        return __tp_input_bool("signalled waiter is in the lower half") ? inside : bits & ~half;
    return bits;
}

/* Any of the bits that are set: halves are chosen until one bit is left. Different inputs choose different bits, so that
 * nothing is explored twice. */
static unsigned long long any_bit(unsigned long long bits)
{
    bits = any_half(bits, 0x00000000ffffffff);
    bits = any_half(bits, 0x0000ffff0000ffff);
    bits = any_half(bits, 0x00ff00ff00ff00ff);
    bits = any_half(bits, 0x0f0f0f0f0f0f0f0f);
    bits = any_half(bits, 0x3333333333333333);
    return any_half(bits, 0x5555555555555555);
}

/* In a step: wakes any of the threads that wait. */
static void signal_any(struct condition *c)
{
    for (struct places *p = &c->places; p; p = p->more) {
        unsigned long long waiting = __tpm_quiet_waiting(p);
        if (!waiting)
            continue;
        if (!any_waiting(p->more) || __tp_input_bool("signalled waiter is among the first")) {
            __tpm_quiet_wake(p, any_bit(waiting));
            break;
        }
    }
}

/* The last part of a wait, in its step. Returns whether the thread is cancelled instead: then it takes no signal from the
 * other threads that wait. */
static _Bool leave(struct condition *c, _Bool signalled)
{
    _Bool ends = __tpm_ends_here(signalled);
    __tpm_quiet_leave_place(&c->places);
    if (ends && signalled)
        signal_any(c);
    return ends;
}

enum woken { BY_CALL, BY_CANCEL, BY_HANDLER };

/* The second step of a wait, until a signal, the end of the thread, or a handler that has to run first. */
static enum woken be_woken(struct condition *c)
{
    enum woken woken = BY_HANDLER;
    __tp_atomic_begin();
    _Bool signalled = !is_waiting(&c->places);
    __tp_waiting(TP_WAIT_CONDITION, c, TP_NOBODY);
    if (__tpm_await(signalled || __tpm_is_cancelled()))
        woken = leave(c, signalled) ? BY_CANCEL : BY_CALL;
    __tp_atomic_end();
    return woken;
}

/* POSIX pthread_cond_wait: frees the mutex and waits for a signal in one step, then locks the mutex again. Spurious
 * wake-ups are allowed; whether one happens is decided before the wait, so that it never resolves a deadlock. It happens at
 * once: a thread that wakes later does what it could do if it woke at once and got the mutex later, or, if a signal came
 * meanwhile, what it could do if the signal woke it. */
TP_DOES("wait 1")
int pthread_cond_wait(struct condition *c, struct __tpm_mutex *m)
{
    _Bool stays = !(may_be_woken() && __tp_input_bool("spurious wake-up"));
    int error = begin_wait(c, m, stays);
    if (error)
        return error;
    _Bool ends = 0;
    if (!stays) {
        was_woken = 1;
    } else {
        enum woken woken = be_woken(c);
        if (__tp_option_signals == TP_HANDLERS)
            for (; woken == BY_HANDLER; woken = be_woken(c))
                __tpm_interrupted();
        ends = woken == BY_CANCEL;
    }
    error = pthread_mutex_lock(m);
    if (__tp_option_cancel && ends)
        __tpm_end_cancelled();
    return error;
}

enum { OWN_CLOCK = -1 };

/* Waits until a deadline, on this clock or that of the condition variable (OWN_CLOCK). */
static int wait_until(struct condition *c, struct __tpm_mutex *m, int clock, const void *moment)
{
    struct __tpm_deadline deadline = __tpm_read_deadline(moment);
    if (!__tpm_is_valid(deadline))
        return EINVAL;
    int error = begin_wait(c, m, 1);
    if (error)
        return error;
    __tp_atomic_begin();
    _Bool timed_out = is_waiting(&c->places);
    if (clock == OWN_CLOCK)
        clock = c->clock;
    __tpm_rest_until(!timed_out || __tpm_is_cancelled(), clock, deadline);
    _Bool ends = leave(c, !timed_out);
    if (!ends && timed_out && may_be_woken() && __tp_input_bool("spurious wake-up")) {
        was_woken = 1;
        timed_out = 0;
    }
    if (!ends && timed_out)
        __tpm_time_is_up(clock, deadline);
    __tp_atomic_end();
    error = pthread_mutex_lock(m);
    if (__tp_option_cancel && ends)
        __tpm_end_cancelled();
    return error ? error : timed_out ? ETIMEDOUT : 0;
}

/* POSIX pthread_cond_timedwait: as wait, but also returns, with ETIMEDOUT, when the time is up: at any moment here. */
TP_DOES("wait 1")
int pthread_cond_timedwait(struct condition *c, struct __tpm_mutex *m, const void *deadline)
{
    return wait_until(c, m, OWN_CLOCK, deadline);
}

/* The C library's pthread_cond_clockwait: as timedwait, by another clock. */
TP_DOES("wait 1")
int pthread_cond_clockwait(struct condition *c, struct __tpm_mutex *m, int clock, const void *deadline)
{
    if (clock != REALTIME && clock != MONOTONIC)
        return EINVAL;
    return wait_until(c, m, clock, deadline);
}

/* POSIX pthread_cond_signal: wakes at least one of the threads that wait: one here, any of them. */
TP_DOES("wake 0")
int pthread_cond_signal(struct condition *c)
{
    __tp_atomic_begin();
    __tp_assert(!c->destroyed, TP_LOCK, "signal of a condition variable that is destroyed");
    signal_any(c);
    __tp_atomic_end();
    return 0;
}

/* POSIX pthread_cond_broadcast: wakes all threads that wait. */
TP_DOES("wake 0")
int pthread_cond_broadcast(struct condition *c)
{
    __tp_atomic_begin();
    __tp_assert(!c->destroyed, TP_LOCK, "broadcast of a condition variable that is destroyed");
    for (struct places *p = &c->places; p; p = p->more)
        if (__tpm_quiet_waiting(p))
            __tpm_quiet_wake(p, -1ull);
    __tp_atomic_end();
    return 0;
}

TP_END

TP_END
