/* Condition variables of POSIX.
 *
 * A waiter takes a free place: a bit of two words. `waiting` has the places of those that wait for a signal, `taken`
 * also of those that got one and have not left yet. A signal clears one bit of `waiting`, any one; a broadcast clears
 * them all. So a signal wakes only a thread that waited at that moment, and is lost when none did. In the rare case of
 * more than 64 waiters, further words hang off the first ones.
 *
 * A wait is three steps: begin to wait and free the mutex; be woken; lock the mutex again. */
#include "mutex.h"

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
};

enum { PLACES = 64 };

static void init_places(struct places *p)
{
    p->waiting = 0;
    p->taken = 0;
    p->more = 0;
}

/* The number of a place that was free. */
static int take_place(struct places *p)
{
    int number = 0;
    for (; p->taken == ~0ull; p = p->more, number += PLACES) {
        if (!p->more) {
            p->more = __tp_alloc(sizeof *p, sizeof p->waiting);
            init_places(p->more);
        }
    }
    unsigned long long bit = 1;
    for (; p->taken & bit; bit <<= 1)
        number++;
    p->taken |= bit;
    p->waiting |= bit;
    return number;
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

static _Bool is_waiting(const struct places *p, int place)
{
    for (; place >= PLACES; place -= PLACES)
        p = p->more;
    return p->waiting >> place & 1;
}

static void leave_place(struct places *first, int place)
{
    struct places *p = first;
    for (; place >= PLACES; place -= PLACES)
        p = p->more;
    unsigned long long bit = 1ull << place;
    p->waiting &= ~bit;
    p->taken &= ~bit;
    free_last_places(first);
}

static unsigned count_waiting(const struct places *p)
{
    unsigned n = 0;
    for (; p; p = p->more)
        for (unsigned long long w = p->waiting; w; w &= w - 1)
            n++;
    return n;
}

/* POSIX pthread_cond_init: makes a condition variable that nobody waits on. */
int pthread_cond_init(struct condition *c, const int *attributes)
{
    (void)attributes;
    __tp_atomic_begin();
    init_places(&c->places);
    c->mutex = 0;
    c->destroyed = 0;
    __tp_atomic_end();
    return 0;
}

/* POSIX pthread_cond_destroy: the condition variable may not be used any more. While threads wait on it that is
 * undefined: reported. Threads that were woken may still be on their way out: it waits for these. */
int pthread_cond_destroy(struct condition *c)
{
    __tp_atomic_begin();
    __tp_assert(!c->destroyed, TP_LOCK, "destroy of a condition variable that is already destroyed");
    __tp_assert(count_waiting(&c->places) == 0, TP_LOCK, "destroy of a condition variable that threads wait on");
    __tp_waiting(TP_WAIT_CONDITION, c, TP_NOBODY);
    __tp_await(c->places.taken == 0 && !c->places.more);
    c->destroyed = 1;
    __tp_atomic_end();
    return 0;
}

/* The first step of a wait. The place taken, or an error as a negative number. */
static int begin_wait(struct condition *c, struct __tpm_mutex *m)
{
    __tp_atomic_begin();
    __tp_assert(!c->destroyed, TP_LOCK, "wait on a condition variable that is destroyed");
    __tp_assert(m->owner == __tpm_me(), TP_LOCK, "wait on a condition variable without holding the mutex");
    int error = c->destroyed ? EINVAL : __tpm_mutex_release(m);
    if (!error && c->mutex != m) {
        __tp_assert(count_waiting(&c->places) == 0, TP_LOCK,
                    "threads wait on one condition variable with different mutexes");
        c->mutex = m;
    }
    int result = error ? -error : take_place(&c->places);
    __tp_atomic_end();
    return result;
}

/* POSIX pthread_cond_wait: frees the mutex and waits for a signal in one step, then locks the mutex again. Returning
 * without a signal is allowed, and happens if the user asks for it; whether it will is decided beforehand, as such a
 * wake-up is no way out of a deadlock. */
int pthread_cond_wait(struct condition *c, struct __tpm_mutex *m)
{
    int place = begin_wait(c, m);
    if (place < 0)
        return -place;
    _Bool spurious = __tp_option_spurious_wakeups && __tp_input_bool("spurious wake-up");
    __tp_atomic_begin();
    __tp_waiting(TP_WAIT_CONDITION, c, TP_NOBODY);
    __tp_await(spurious || !is_waiting(&c->places, place));
    leave_place(&c->places, place);
    __tp_atomic_end();
    return pthread_mutex_lock(m);
}

/* POSIX pthread_cond_timedwait: as wait, but also returns, with ETIMEDOUT, when the time is up: at any moment here. */
int pthread_cond_timedwait(struct condition *c, struct __tpm_mutex *m, const void *deadline)
{
    (void)deadline;
    int place = begin_wait(c, m);
    if (place < 0)
        return -place;
    __tp_yield();
    __tp_atomic_begin();
    _Bool timed_out = is_waiting(&c->places, place);
    leave_place(&c->places, place);
    __tp_atomic_end();
    _Bool spurious = timed_out && __tp_option_spurious_wakeups && __tp_input_bool("spurious wake-up");
    int error = pthread_mutex_lock(m);
    return error ? error : timed_out && !spurious ? ETIMEDOUT : 0;
}

/* The C library's pthread_cond_clockwait: as timedwait, by another clock. */
int pthread_cond_clockwait(struct condition *c, struct __tpm_mutex *m, int clock, const void *deadline)
{
    (void)clock;
    return pthread_cond_timedwait(c, m, deadline);
}

static void wake(struct places *p, unsigned which)
{
    for (;; p = p->more) {
        for (unsigned long long w = p->waiting; w; w &= w - 1) {
            if (which-- == 0) {
                p->waiting &= ~(w & -w);
                return;
            }
        }
    }
}

/* POSIX pthread_cond_signal: wakes at least one of the threads that wait: one here, any of them. */
int pthread_cond_signal(struct condition *c)
{
    __tp_atomic_begin();
    __tp_assert(!c->destroyed, TP_LOCK, "signal of a condition variable that is destroyed");
    unsigned n = count_waiting(&c->places);
    if (n > 0)
        wake(&c->places, n == 1 ? 0 : __tp_input_u32("signalled waiter") % n);
    __tp_atomic_end();
    return 0;
}

/* POSIX pthread_cond_broadcast: wakes all threads that wait. */
int pthread_cond_broadcast(struct condition *c)
{
    __tp_atomic_begin();
    __tp_assert(!c->destroyed, TP_LOCK, "broadcast of a condition variable that is destroyed");
    for (struct places *p = &c->places; p; p = p->more)
        p->waiting = 0;
    __tp_atomic_end();
    return 0;
}
