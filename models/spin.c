/* Spin locks of POSIX. A waiting thread blocks; nothing here spins. */
#include "internal.h"

TP_ALL_DO("signal-safe")
TP_ALL_DO("own-number")

TP_ALL_DO("lock-code")

/* What the one word of pthread_spinlock_t holds; from HELD on, HELD plus the number of the thread that holds it. Zero is
 * not a free lock, since POSIX has no static initialiser. */
enum { NEVER_INITIALISED = 0, FREE = 1, DESTROYED = 2, HELD = 3 };

/* POSIX pthread_spin_init: makes an unlocked lock. */
TP_DOES("reset 0 spinlock")
int pthread_spin_init(unsigned *l, int shared)
{
    (void)shared;
    *l = FREE;
    __tpm_show_call();
    return 0;
}

static void check_usable(unsigned state)
{
    __tp_assert(state != NEVER_INITIALISED, TP_LOCK, "use of a spin lock that is not initialised");
    __tp_assert(state != DESTROYED, TP_LOCK, "use of a spin lock that is destroyed");
}

/* POSIX pthread_spin_destroy: the lock may not be used any more. Destroying a held one is undefined: reported. */
TP_DOES("reset 0 spinlock")
TP_DOES("destroy 0")
int pthread_spin_destroy(unsigned *l)
{
    __tp_atomic_begin();
    unsigned state = __tpm_quiet_look(l);
    check_usable(state);
    __tp_assert(state < HELD, TP_LOCK, "destroy of a spin lock that is locked");
    __tpm_quiet_set(l, DESTROYED);
    __tp_atomic_end();
    return 0;
}

/* Whether the lock was taken; otherwise a handler has to run first. */
TP_DOES("names-thread 0 0 3")
static _Bool take(unsigned *l)
{
    unsigned me = __tp_self();
    __tp_atomic_begin();
    unsigned state = *l;
    check_usable(state);
    __tp_waiting(TP_WAIT_SPIN_LOCK, l, state < HELD ? TP_NOBODY : state - HELD);
    _Bool is_free = __tpm_await(state < HELD);
    if (is_free) {
        *l = HELD + me;
        __tp_acquired(l, TP_EXCLUSIVE);
    }
    __tp_atomic_end();
    return is_free;
}

/* POSIX pthread_spin_lock: waits until the lock is free and takes it; an owner that locks again waits for itself. */
TP_DOES("lock 0 exclusive spinlock")
int pthread_spin_lock(unsigned *l)
{
    _Bool taken = take(l);
    if (__tp_option_signals == TP_HANDLERS)
        for (; !taken; taken = take(l))
            __tpm_interrupted();
    return 0;
}

/* POSIX pthread_spin_trylock: as lock, but EBUSY instead of waiting. */
TP_DOES("try 0 exclusive spinlock")
TP_DOES("names-thread 0 0 3")
int pthread_spin_trylock(unsigned *l)
{
    unsigned me = __tp_self();
    __tp_atomic_begin();
    unsigned state = __tpm_peek(l);
    check_usable(state);
    int error = state < HELD ? 0 : EBUSY;
    if (!error) {
        __tpm_read_again(l);
        *l = HELD + me;
        __tp_acquired(l, TP_EXCLUSIVE);
    }
    __tp_atomic_end();
    return error;
}

/* POSIX pthread_spin_unlock: frees the lock. From a thread that does not hold it that is undefined: reported. */
TP_DOES("unlock 0 spinlock")
int pthread_spin_unlock(unsigned *l)
{
    __tp_atomic_begin();
    unsigned state = __tpm_quiet_look(l);
    check_usable(state);
    __tp_assert(state >= HELD, TP_LOCK, "unlock of a spin lock that is not locked");
    __tp_assert(state == HELD + __tp_self(), TP_LOCK, "unlock of a spin lock that another thread holds");
    *l = FREE;
    __tp_released(l);
    __tp_atomic_end();
    return 0;
}

TP_END

TP_END

TP_END
