/* <sys/timerfd.h>: timers that threads can wait for.
 *
 * A timer that is set has expired at any later moment, as a thread that sleeps may go on at any moment; surely, once the
 * program has read a time that is late enough. */
#include "special.h"

TP_ALL_DO("signal-safe")

enum { TFD_TIMER_ABSTIME = 1, TFD_TIMER_CANCEL_ON_SET = 2 };
enum { CLOCK_BOOTTIME = 7, CLOCK_BOOTTIME_ALARM = 9 };

struct timespec {
    long seconds;
    long nanoseconds;
};

struct itimerspec {
    struct timespec interval;
    struct timespec value;
};

/* timerfd_create(2): a descriptor for a timer that is not set. */
TP_DOES("special")
int timerfd_create(int clock, int flags)
{
    if (flags & ~(O_NONBLOCK | O_CLOEXEC))
        return (int)__tpm_result(EINVAL, 0);
    if (clock != REALTIME && clock != MONOTONIC && clock != CLOCK_BOOTTIME)
        return (int)__tpm_result(clock > CLOCK_BOOTTIME && clock <= CLOCK_BOOTTIME_ALARM ? EPERM : EINVAL, 0);
    __tp_atomic_begin();
    struct __tpm_timer *timer = __tp_alloc_record(sizeof *timer, sizeof(long long));
    *timer = (struct __tpm_timer){.file = {.kind = TIMER}, .clock = clock};
    int fd = __tpm_new_descriptor(__tpm_open_file(&timer->file, O_RDWR | ((unsigned)flags & O_NONBLOCK)), 0);
    __tp_atomic_end();
    return (int)__tpm_result(fd < 0 ? EMFILE : 0, fd);
}

static _Bool is_valid(struct timespec t)
{
    return t.seconds >= 0 && t.nanoseconds >= 0 && t.nanoseconds < 1000000000;
}

static _Bool is_zero(const struct __tpm_moment *m)
{
    return m->seconds == 0 && m->nanoseconds == 0;
}

static struct __tpm_moment moment_of(struct timespec t)
{
    struct __tpm_moment m = { (unsigned long long)t.seconds, (unsigned)t.nanoseconds };
    return m;
}

/* Without the bytes between the members, which nobody writes. */
static void assign(struct __tpm_moment *to, struct __tpm_moment from)
{
    to->seconds = from.seconds;
    to->nanoseconds = from.nanoseconds;
}

static struct timespec time_of(const struct __tpm_moment *m)
{
    struct timespec t = { (long)m->seconds, (long)m->nanoseconds };
    return t;
}

_Bool __tpm_is_due(const struct __tpm_timer *timer)
{
    if (!timer->is_armed)
        return 0;
    if (timer->is_past || !__tp_option_clock)
        return timer->is_past;
    struct __tpm_moment left = __tpm_until(&timer->then);
    return is_zero(&left);
}

/* A timer that expires again and again may have done so several times before somebody looks: here twice at most. */
void __tpm_expire(struct __tpm_timer *timer)
{
    timer->expired = 1;
    timer->is_past = 0;
    if (__tp_option_clock)
        __tpm_reach(&timer->then);
    if (is_zero(&timer->interval)) {
        timer->is_armed = 0;
        return;
    }
    if (__tp_input_rarely("the timer has expired twice"))
        timer->expired = 2;
    assign(&timer->first, timer->interval);
    if (__tp_option_clock)
        assign(&timer->then, __tpm_moment_in(timer->interval.seconds, timer->interval.nanoseconds));
}

/* Sets a timer to a time of its clock. */
static void set_to(struct __tpm_timer *timer, struct timespec value)
{
    long begin = timer->clock == REALTIME ? BEGIN : 0;
    struct __tpm_moment none = {0, 0};
    timer->is_past = value.seconds < begin;
    assign(&timer->then, none);
    if (!timer->is_past) {
        assign(&timer->then, moment_of(value));
        timer->then.seconds -= (unsigned long long)begin;
    }
    assign(&timer->first, none);
    if (__tp_option_clock)
        assign(&timer->first, __tpm_until(&timer->then));
}

static void set(struct __tpm_timer *timer, int flags, struct itimerspec new)
{
    timer->expired = 0;
    timer->is_past = 0;
    timer->is_armed = new.value.seconds != 0 || new.value.nanoseconds != 0;
    assign(&timer->interval, moment_of(new.interval));
    if (flags & TFD_TIMER_ABSTIME) {
        set_to(timer, new.value);
    } else {
        assign(&timer->first, moment_of(new.value));
        if (__tp_option_clock)
            assign(&timer->then, __tpm_moment_in(timer->first.seconds, timer->first.nanoseconds));
    }
}

/* What is left until the timer expires: here as much as when it was set, unless the program reads the clock. */
static struct itimerspec left_of(const struct __tpm_timer *timer)
{
    struct itimerspec spec = { time_of(&timer->interval), {0, 0} };
    if (timer->is_armed && __tp_option_clock) {
        struct __tpm_moment left = __tpm_until(&timer->then);
        spec.value = time_of(&left);
    } else if (timer->is_armed) {
        spec.value = time_of(&timer->first);
    }
    return spec;
}

static struct __tpm_timer *timer_of(int fd, int *error)
{
    struct __tpm_open *open = __tpm_description(fd);
    *error = !open ? EBADF : open->file->kind != TIMER ? EINVAL : 0;
    return *error ? 0 : (struct __tpm_timer *)open->file;
}

/* timerfd_settime(2): sets a timer, or stops it. What it was before goes to *before. */
int timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *before)
{
    struct itimerspec wanted = *new, left = {0};
    int error;
    __tp_atomic_begin();
    struct __tpm_timer *timer = timer_of(fd, &error);
    if (!error && (!is_valid(wanted.value) || !is_valid(wanted.interval)
                   || (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET))))
        error = EINVAL;
    if (!error) {
        left = left_of(timer);
        set(timer, flags, wanted);
    }
    __tp_atomic_end();
    if (before && !error)
        *before = left;
    return (int)__tpm_result(error, 0);
}

/* timerfd_gettime(2): how long it is until the timer expires. */
int timerfd_gettime(int fd, struct itimerspec *to)
{
    struct itimerspec left = {0};
    int error;
    __tp_atomic_begin();
    const struct __tpm_timer *timer = timer_of(fd, &error);
    if (!error)
        left = left_of(timer);
    __tp_atomic_end();
    if (!error)
        *to = left;
    return (int)__tpm_result(error, 0);
}

TP_END
