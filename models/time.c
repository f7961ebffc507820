/* Time: a clock that never goes back; how far it advances before each read is an input. A thread that sleeps may go on at
 * any moment, and the time that it sleeps until is reached then. So the clock shows that it has slept, and nothing else does:
 * in a program that never reads the clock, a sleep only lets others run. */
#include "internal.h"

TP_ALL_DO("signal-safe")

struct timespec {
    long seconds;
    long nanoseconds;
};

struct timeval {
    long seconds;
    long microseconds;
};

enum { NANOSECONDS = 1000000000 };

static struct __tpm_moment now;

static _Bool is_before(struct __tpm_moment a, struct __tpm_moment b)
{
    return a.seconds < b.seconds || (a.seconds == b.seconds && a.nanoseconds < b.nanoseconds);
}

static struct __tpm_moment sum(struct __tpm_moment a, struct __tpm_moment b)
{
    unsigned long long seconds = a.seconds + b.seconds, nanoseconds = a.nanoseconds + (unsigned long long)b.nanoseconds;
    /* The nanoseconds of a span may add up to more than four seconds. */
    for (int i = 0; i < 5; i++) {
        if (nanoseconds >= NANOSECONDS) {
            nanoseconds -= NANOSECONDS;
            seconds++;
        }
    }
    struct __tpm_moment c = { seconds, (unsigned)nanoseconds };
    return c;
}

/* Advances the clock and reads it. Reading the clock orders nothing: the accesses are relaxed. */
static struct __tpm_moment elapsed(void)
{
    struct __tpm_moment passed;
    passed.seconds = __tp_input_mostly_zero_u16("seconds passed");
    passed.nanoseconds = __tp_input_mostly_zero_u32("nanoseconds passed");
    __tp_atomic_begin();
    struct __tpm_moment before;
    before.seconds = __atomic_load_n(&now.seconds, __ATOMIC_RELAXED);
    before.nanoseconds = __atomic_load_n(&now.nanoseconds, __ATOMIC_RELAXED);
    struct __tpm_moment after = sum(before, passed);
    __atomic_store_n(&now.seconds, after.seconds, __ATOMIC_RELAXED);
    __atomic_store_n(&now.nanoseconds, after.nanoseconds, __ATOMIC_RELAXED);
    __tp_atomic_end();
    return after;
}

/* The clock has reached this time. In an atomic section. */
static void reach(struct __tpm_moment then)
{
    if (is_before(now, then)) {
        now.seconds = then.seconds; /* not the bytes between the members */
        now.nanoseconds = then.nanoseconds;
    }
}

/* POSIX: what is left of a sleep that a handler has ended. Here that is all of it. */
static int interrupted(const struct timespec *duration, struct timespec *remaining)
{
    if (remaining)
        *remaining = *duration;
    return EINTR;
}

struct __tpm_moment __tpm_moment_in(unsigned long long seconds, unsigned nanoseconds)
{
    struct __tpm_moment span = { seconds, nanoseconds };
    return sum(now, span);
}

struct __tpm_moment __tpm_until(const struct __tpm_moment *until)
{
    struct __tpm_moment then = { until->seconds, until->nanoseconds };
    struct __tpm_moment left = { 0, 0 };
    if (!is_before(now, then))
        return left;
    left.seconds = then.seconds - now.seconds - (then.nanoseconds < now.nanoseconds);
    left.nanoseconds = then.nanoseconds + (then.nanoseconds < now.nanoseconds ? NANOSECONDS : 0) - now.nanoseconds;
    return left;
}

void __tpm_reach(const struct __tpm_moment *until)
{
    struct __tpm_moment then = { until->seconds, until->nanoseconds };
    reach(then);
}

/* The thread sleeps: it does not go on before the clock has advanced by that span. Returns whether a signal handler ended the
 * sleep. */
static _Bool rest(unsigned long long seconds, unsigned nanoseconds)
{
    struct __tpm_moment then;
    if (__tp_option_clock) {
        struct __tpm_moment span = { seconds, nanoseconds };
        __tp_atomic_begin();
        then = sum(now, span);
        __tp_atomic_end();
    }
    __tp_atomic_begin();
    _Bool ends = __tpm_is_cancelled();
    __tp_rest(ends || __tpm_was_sent_signal(), (long long)seconds, nanoseconds);
    int signal = ends ? 0 : __tpm_ends_wait();
    if (__tp_option_clock && !ends && !signal)
        reach(then);
    __tp_atomic_end();
    if (__tp_option_cancel && ends)
        __tpm_end_cancelled();
    if (__tp_option_signals == TP_HANDLERS && signal)
        __tpm_handle(signal);
    return signal != 0;
}

void __tpm_time_is_up(int clock, struct __tpm_deadline deadline)
{
    if (!__tp_option_clock)
        return;
    long seconds = clock == REALTIME ? deadline.seconds - BEGIN : deadline.seconds;
    if (deadline.seconds < 0 || seconds < 0)
        return; /* long before the program began */
    struct __tpm_moment then = { seconds, (unsigned)deadline.nanoseconds };
    reach(then);
}

/* C11 7.27.2.4: the calendar time in seconds. */
TP_DOES("clock")
long time(long *result)
{
    long seconds = BEGIN + (long)elapsed().seconds;
    if (result)
        *result = seconds;
    return seconds;
}

/* C11 7.27.2.1: the processor time used, in millionths of a second. */
TP_DOES("clock")
long clock(void)
{
    struct __tpm_moment used = elapsed();
    return (long)(used.seconds * 1000000 + used.nanoseconds / 1000);
}

enum { LAST_CLOCK = 11 };

/* POSIX clock_gettime: the time of a clock; EINVAL if there is no such clock. */
TP_DOES("clock")
int clock_gettime(int clock, struct timespec *result)
{
    if (clock < 0 || clock > LAST_CLOCK) {
        errno = EINVAL;
        return -1;
    }
    struct __tpm_moment time = elapsed();
    result->seconds = (clock == 0 ? BEGIN : 0) + (long)time.seconds;
    result->nanoseconds = (long)time.nanoseconds;
    return 0;
}

/* POSIX clock_getres: the smallest step of a clock. */
int clock_getres(int clock, struct timespec *result)
{
    (void)clock;
    if (result) {
        result->seconds = 0;
        result->nanoseconds = 1;
    }
    return 0;
}

/* POSIX gettimeofday: the calendar time in microseconds. */
TP_DOES("clock")
int gettimeofday(struct timeval *result, void *zone)
{
    (void)zone;
    struct __tpm_moment time = elapsed();
    result->seconds = BEGIN + (long)time.seconds;
    result->microseconds = (long)(time.nanoseconds / 1000);
    return 0;
}

/* C11 7.27.2.5: the calendar time (base 1). */
TP_DOES("clock")
int timespec_get(struct timespec *result, int base)
{
    if (base != 1)
        return 0;
    clock_gettime(0, result);
    return base;
}

/* C11 7.27.2.2: the difference of two times in seconds. */
double difftime(long later, long earlier)
{
    return (double)later - (double)earlier;
}

static int sleep_is_valid(const struct timespec *duration)
{
    return duration->seconds >= 0 && duration->nanoseconds >= 0 && duration->nanoseconds < NANOSECONDS;
}

/* POSIX nanosleep: suspends the thread. Other threads may or may not run meanwhile: it orders nothing. */
int nanosleep(const struct timespec *duration, struct timespec *remaining)
{
    if (!sleep_is_valid(duration)) {
        errno = EINVAL;
        return -1;
    }
    if (rest(duration->seconds, duration->nanoseconds)) {
        errno = interrupted(duration, remaining);
        return -1;
    }
    return 0;
}

/* POSIX clock_nanosleep: the same by a clock; errors are returned. */
int clock_nanosleep(int clock, int flags, const struct timespec *duration, struct timespec *remaining)
{
    if (!sleep_is_valid(duration))
        return EINVAL;
    if (!flags)
        return rest(duration->seconds, duration->nanoseconds) ? interrupted(duration, remaining) : 0;
    struct __tpm_deadline deadline = { duration->seconds, duration->nanoseconds };
    __tp_atomic_begin();
    _Bool ends = __tpm_is_cancelled();
    __tpm_rest_until(ends || __tpm_was_sent_signal(), clock, deadline);
    int signal = ends ? 0 : __tpm_ends_wait();
    if (!ends && !signal)
        __tpm_time_is_up(clock, deadline);
    __tp_atomic_end();
    if (__tp_option_cancel && ends)
        __tpm_end_cancelled();
    if (__tp_option_signals == TP_HANDLERS && signal) {
        __tpm_handle(signal);
        return EINTR;
    }
    return 0;
}

/* POSIX sleep: the same in seconds; returns what is left. */
unsigned sleep(unsigned seconds)
{
    return rest(seconds, 0) ? seconds : 0;
}

/* The same in microseconds. */
int usleep(unsigned microseconds)
{
    if (rest(microseconds / 1000000, microseconds % 1000000 * 1000)) {
        errno = EINTR;
        return -1;
    }
    return 0;
}

TP_END
