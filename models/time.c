/* Time: a clock that never goes back; how far it goes on between two looks at it is an input. */
#include "internal.h"

struct timespec {
    long seconds;
    long nanoseconds;
};

struct timeval {
    long seconds;
    long microseconds;
};

enum { NANOSECONDS = 1000000000 };

static unsigned long long pass(unsigned long long nanoseconds)
{
    static unsigned long long now;
    __tp_atomic_begin();
    now += nanoseconds;
    unsigned long long result = now;
    __tp_atomic_end();
    return result;
}

/* Nanoseconds since the program began. */
static unsigned long long elapsed(void)
{
    return pass(__tp_input_u32("nanoseconds passed"));
}

/* The thread does nothing for a while, and the clock goes on by at least that. */
static void rest(unsigned long long nanoseconds)
{
    __tp_yield();
    pass(nanoseconds);
}

/* A date in the year 2025, when every program begins. */
enum { BEGIN = 1750000000 };

/* C11 7.27.2.4: the calendar time in seconds. */
long time(long *result)
{
    long seconds = BEGIN + (long)(elapsed() / NANOSECONDS);
    if (result)
        *result = seconds;
    return seconds;
}

/* C11 7.27.2.1: the processor time used, in millionths of a second. */
long clock(void)
{
    return (long)(elapsed() / 1000);
}

/* POSIX clock_gettime: the time of a clock. */
int clock_gettime(int clock, struct timespec *result)
{
    unsigned long long now = elapsed();
    result->seconds = (clock == 0 ? BEGIN : 0) + (long)(now / NANOSECONDS);
    result->nanoseconds = (long)(now % NANOSECONDS);
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
int gettimeofday(struct timeval *result, void *zone)
{
    (void)zone;
    unsigned long long now = elapsed();
    result->seconds = BEGIN + (long)(now / NANOSECONDS);
    result->microseconds = (long)(now % NANOSECONDS / 1000);
    return 0;
}

/* C11 7.27.2.5: the calendar time (base 1). */
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

/* POSIX nanosleep: suspends the thread. Others may or may not run meanwhile: no order of events can be had by waiting. */
int nanosleep(const struct timespec *duration, struct timespec *remaining)
{
    (void)remaining;
    if (!sleep_is_valid(duration)) {
        errno = EINVAL;
        return -1;
    }
    rest(duration->seconds * (unsigned long long)NANOSECONDS + duration->nanoseconds);
    return 0;
}

/* POSIX clock_nanosleep: the same by a clock; errors are returned. */
int clock_nanosleep(int clock, int flags, const struct timespec *duration, struct timespec *remaining)
{
    (void)clock;
    (void)remaining;
    if (!sleep_is_valid(duration))
        return EINVAL;
    unsigned long long until = duration->seconds * (unsigned long long)NANOSECONDS + duration->nanoseconds;
    unsigned long long now = pass(0) + (clock == 0 ? (unsigned long long)BEGIN * NANOSECONDS : 0);
    rest(!flags ? until : until > now ? until - now : 0);
    return 0;
}

/* POSIX sleep: the same in seconds; 0 as nothing interrupts it. */
unsigned sleep(unsigned seconds)
{
    rest(seconds * (unsigned long long)NANOSECONDS);
    return 0;
}

/* The same in microseconds. */
int usleep(unsigned microseconds)
{
    rest(microseconds * 1000ull);
    return 0;
}
