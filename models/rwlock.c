/* Read-write locks of POSIX. Neither readers nor writers are preferred: every order is possible. Only where the C
 * library's attribute or initialiser says so (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP), readers wait for waiting
 * writers, even threads that already hold the lock for reading.
 *
 * The lock counts its readers; each thread keeps a table of the locks that it holds for reading. */
#include "internal.h"

TP_ALL_DO("signal-safe")
TP_ALL_DO("own-number")

TP_ALL_DO("lock-code")

/* Lies in pthread_rwlock_t (56 or 32 bytes), whose static initialisers leave these words zero. */
struct rwlock {
    unsigned readers;
    unsigned writer; /* the thread's number plus 1, or 0 */
    unsigned destroyed;
    unsigned waiting; /* number of waiting writers, if readers wait for these */
    /* Where the static initialiser puts it: */
#ifdef __LP64__
    unsigned unused[8];
    unsigned kind;
#else
    unsigned unused[2];
    unsigned char kind;
#endif
};

enum { PREFER_WRITER = 2 };

static _Bool prefers_writers(const struct rwlock *l)
{
    return l->kind == PREFER_WRITER;
}

/* POSIX pthread_rwlock_init: makes an unlocked lock. */
TP_DOES("reset 0 rwlock")
int pthread_rwlock_init(struct rwlock *l, const int *attributes)
{
    l->readers = 0;
    l->writer = 0;
    l->destroyed = 0;
    l->waiting = 0;
    l->kind = attributes ? *attributes & 15 : 0;
    __tpm_show_call();
    return 0;
}

/* POSIX pthread_rwlock_destroy: the lock may not be used any more. Destroying a held one is undefined: reported. */
TP_DOES("reset 0 rwlock")
TP_DOES("destroy 0")
int pthread_rwlock_destroy(struct rwlock *l)
{
    __tp_atomic_begin();
    __tp_assert(!__tpm_quiet_look(&l->destroyed), TP_LOCK, "destroy of a read-write lock that is already destroyed");
    __tp_assert(__tpm_quiet_look(&l->readers) == 0 && __tpm_quiet_look(&l->writer) == 0, TP_LOCK,
                "destroy of a read-write lock that is locked");
    __tpm_quiet_set(&l->destroyed, 1);
    __tp_atomic_end();
    return 0;
}

/* The locks that this thread holds for reading, and how often; those that do not fit are only counted. */
enum { MOST_READ = 8 };

static _Thread_local struct reading {
    struct rwlock *lock;
    unsigned times;
} reading[MOST_READ];
static _Thread_local unsigned others_read;

static void begin_to_read(struct rwlock *l)
{
    unsigned i = 0;
    while (i < MOST_READ && reading[i].times != 0 && reading[i].lock != l)
        i++;
    if (i == MOST_READ) {
        others_read++;
        return;
    }
    reading[i].lock = l;
    reading[i].times++;
}

/* Returns whether the thread held the lock for reading, as far as the table knows. */
static _Bool end_to_read(struct rwlock *l)
{
    unsigned last = 0, found = MOST_READ;
    for (unsigned i = 0; i < MOST_READ && reading[i].times != 0; i++) {
        last = i;
        if (reading[i].lock == l)
            found = i;
    }
    if (found == MOST_READ) {
        _Bool any = others_read != 0;
        others_read -= any;
        return any;
    }
    if (--reading[found].times == 0) {
        /* The table has no holes. */
        reading[found] = reading[last];
        reading[last].times = 0;
    }
    return 1;
}

TP_DOES("names-thread 0 4 1")
static void take(struct rwlock *l, enum __tp_lock_mode mode)
{
    if (mode == TP_SHARED) {
        __tpm_quiet_add(&l->readers, 1); /* readers do not synchronise with each other */
        begin_to_read(l);
        __tp_acquired(l, TP_SHARED);
    } else {
        l->writer = __tpm_me();
        __tp_acquired(l, TP_EXCLUSIVE);
    }
}

/* If readers wait for waiting writers: counts this writer as waiting, in a step of its own before the rest of the
 * caller's step. Returns whether it did. */
static _Bool queue(struct rwlock *l)
{
    _Bool queued = prefers_writers(l) && __tpm_quiet_look(&l->writer) != __tpm_me();
    if (queued) {
        __tpm_quiet_add(&l->waiting, 1);
        __tp_atomic_end();
        __tp_atomic_begin();
    }
    return queued;
}

static _Bool readers_wait(struct rwlock *l)
{
    return prefers_writers(l) && __tpm_quiet_look(&l->waiting) != 0;
}

/* EINTR: a handler has to run before this thread goes on waiting. */
static int lock_once(struct rwlock *l, enum __tp_lock_mode mode)
{
    __tp_atomic_begin();
    _Bool queued = mode == TP_EXCLUSIVE && queue(l);
    __tp_assert(!l->destroyed, TP_LOCK, "lock of a read-write lock that is destroyed");
    unsigned writer = l->writer;
    if (writer == __tpm_me()) {
        __tp_atomic_end();
        return EDEADLK;
    }
    if (mode == TP_SHARED)
        __tp_waiting(TP_WAIT_READ_LOCK, l, writer - 1);
    else
        __tp_waiting(TP_WAIT_WRITE_LOCK, l, writer - 1);
    _Bool ready = __tpm_await(writer == 0 && (mode == TP_SHARED ? !readers_wait(l) : l->readers == 0));
    if (queued)
        __tpm_quiet_add(&l->waiting, -1u);
    if (ready)
        take(l, mode);
    __tp_atomic_end();
    return ready ? 0 : EINTR;
}

static int lock(struct rwlock *l, enum __tp_lock_mode mode)
{
    int error = lock_once(l, mode);
    if (__tp_option_signals == TP_HANDLERS) {
        while (error == EINTR) {
            __tpm_interrupted();
            error = lock_once(l, mode);
        }
    }
    return error;
}

/* The same, but EBUSY instead of waiting, or ETIMEDOUT at the deadline if there is one. */
static int try(struct rwlock *l, enum __tp_lock_mode mode, const struct __tpm_deadline *until)
{
    __tp_atomic_begin();
    _Bool queued = mode == TP_EXCLUSIVE && until && queue(l);
    __tp_assert(!l->destroyed, TP_LOCK, "lock of a read-write lock that is destroyed");
    unsigned writer = __tpm_peek(&l->writer);
    _Bool available =
        writer == 0
        && (mode == TP_SHARED ? !prefers_writers(l) || __tpm_peek(&l->waiting) == 0 : __tpm_peek(&l->readers) == 0);
    if (until)
        __tpm_rest_until(available || writer == __tpm_me(), REALTIME, *until);
    if (queued)
        __tpm_quiet_add(&l->waiting, -1u);
    if (available) {
        __tpm_read_again(&l->writer);
        if (mode == TP_EXCLUSIVE)
            __tpm_read_again(&l->readers);
        take(l, mode);
    } else if (until && writer != __tpm_me()) {
        __tpm_time_is_up(REALTIME, *until);
    }
    __tp_atomic_end();
    return available ? 0 : !until ? EBUSY : writer == __tpm_me() ? EDEADLK : ETIMEDOUT;
}

/* The same with a deadline, which the C library checks before anything else. */
static int try_until(struct rwlock *l, enum __tp_lock_mode mode, const void *moment)
{
    struct __tpm_deadline deadline = __tpm_read_deadline(moment);
    if (!__tpm_is_valid(deadline))
        return EINVAL;
    return try(l, mode, &deadline);
}

/* POSIX pthread_rwlock_rdlock: waits until no writer holds the lock and holds it with other readers; EDEADLK for the writer. */
TP_DOES("lock 0 shared rwlock")
int pthread_rwlock_rdlock(struct rwlock *l)
{
    return lock(l, TP_SHARED);
}

/* POSIX pthread_rwlock_tryrdlock: as rdlock, but EBUSY instead of waiting. */
TP_DOES("try 0 shared rwlock")
int pthread_rwlock_tryrdlock(struct rwlock *l)
{
    return try(l, TP_SHARED, 0);
}

/* POSIX pthread_rwlock_timedrdlock: as rdlock, but ETIMEDOUT when the time is up: at any moment here. */
TP_DOES("try 0 shared rwlock")
int pthread_rwlock_timedrdlock(struct rwlock *l, const void *deadline)
{
    return try_until(l, TP_SHARED, deadline);
}

/* POSIX pthread_rwlock_wrlock: waits until the lock is free and holds it alone; EDEADLK if the caller already does. */
TP_DOES("lock 0 exclusive rwlock")
int pthread_rwlock_wrlock(struct rwlock *l)
{
    return lock(l, TP_EXCLUSIVE);
}

/* POSIX pthread_rwlock_trywrlock: as wrlock, but EBUSY instead of waiting. */
TP_DOES("try 0 exclusive rwlock")
int pthread_rwlock_trywrlock(struct rwlock *l)
{
    return try(l, TP_EXCLUSIVE, 0);
}

/* POSIX pthread_rwlock_timedwrlock: as wrlock, but ETIMEDOUT when the time is up: at any moment here. */
TP_DOES("try 0 exclusive rwlock")
int pthread_rwlock_timedwrlock(struct rwlock *l, const void *deadline)
{
    return try_until(l, TP_EXCLUSIVE, deadline);
}

/* POSIX pthread_rwlock_unlock: gives up the caller's hold. Without one that is undefined: reported. */
TP_DOES("unlock 0 rwlock")
int pthread_rwlock_unlock(struct rwlock *l)
{
    __tp_atomic_begin();
    unsigned writer = __tpm_quiet_look(&l->writer), readers = __tpm_quiet_look(&l->readers);
    __tp_assert(!l->destroyed, TP_LOCK, "unlock of a read-write lock that is destroyed");
    __tp_assert(writer != 0 || readers != 0, TP_LOCK, "unlock of a read-write lock that is not locked");
    _Bool mine = writer != 0 ? writer == __tpm_me() : end_to_read(l);
    __tp_assert(mine, TP_LOCK, "unlock of a read-write lock that another thread holds");
    if (writer != 0)
        l->writer = 0;
    else if (readers != 0)
        __tpm_quiet_add_and_publish(&l->readers, -1u); /* the next writer is ordered after this */
    __tp_released(l);
    __tp_atomic_end();
    return 0;
}

TP_END

TP_END

TP_END
