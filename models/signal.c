/* Signals of POSIX: <signal.h>, and alarm, pause and their kin. Who gets a signal, and where, is in models/deliver.c. */
#include "signals.h"

TP_ALL_DO("signal-safe")

enum { SIG_BLOCK = 0, SIG_UNBLOCK = 1, SIG_SETMASK = 2 };
#define SIG_ERR ((__tpm_handler *)-1)

static int fail(int error)
{
    errno = error;
    return -1;
}

/* Signals of the C library itself. */
static _Bool is_internal(int signal)
{
    return signal == 32 || signal == 33;
}

static _Bool is_signal(int signal)
{
    return signal >= 1 && signal <= SIGNALS;
}

/* sigset_t is 128 bytes, of which the first eight count. */
struct set {
    __tpm_signals first;
    __tpm_signals rest[15];
};

/* POSIX sigemptyset, sigfillset, sigaddset, sigdelset, sigismember. */
int sigemptyset(__tpm_signals *set)
{
    __builtin_memset(set, 0, sizeof(struct set));
    return 0;
}

int sigfillset(__tpm_signals *set)
{
    __builtin_memset(set, 255, sizeof(struct set));
    *set = ~(__tpm_bit(32) | __tpm_bit(33));
    return 0;
}

int sigaddset(__tpm_signals *set, int signal)
{
    if (!is_signal(signal) || is_internal(signal))
        return fail(EINVAL);
    *set |= __tpm_bit(signal);
    return 0;
}

int sigdelset(__tpm_signals *set, int signal)
{
    if (!is_signal(signal) || is_internal(signal))
        return fail(EINVAL);
    *set &= ~__tpm_bit(signal);
    return 0;
}

int sigismember(const __tpm_signals *set, int signal)
{
    if (!is_signal(signal))
        return fail(EINVAL);
    return (*set & __tpm_bit(signal)) != 0;
}

/* The C library's sigisemptyset, sigandset, sigorset. */
int sigisemptyset(const __tpm_signals *set)
{
    return *set == 0;
}

int sigandset(__tpm_signals *set, const __tpm_signals *a, const __tpm_signals *b)
{
    *set = *a & *b;
    return 0;
}

int sigorset(__tpm_signals *set, const __tpm_signals *a, const __tpm_signals *b)
{
    *set = *a | *b;
    return 0;
}

/* struct sigaction. */
struct sigaction {
    __tpm_handler *handler;
    unsigned long mask[128 / sizeof(long)];
    int flags;
    void (*restorer)(void);
};

/* POSIX sigaction: what is done when a signal comes, and what was done before. */
TP_DOES("signals")
TP_DOES("handlers")
int sigaction(int signal, const struct sigaction *action, struct sigaction *before)
{
    if (!is_signal(signal) || is_internal(signal) || (action && (signal == SIGKILL || signal == SIGSTOP)))
        return fail(EINVAL);
    struct __tpm_action old = __tpm_action_of(signal);
    if (action) {
        struct __tpm_action new = { action->handler, *(const __tpm_signals *)action->mask, (unsigned)action->flags };
        __tpm_set_action(signal, new);
    }
    if (before) {
        __builtin_memset(before, 0, sizeof *before);
        before->handler = old.handler;
        *(__tpm_signals *)before->mask = old.mask;
        before->flags = (int)old.flags;
    }
    return 0;
}

static __tpm_handler *install(int signal, __tpm_handler *handler, unsigned flags)
{
    if (!is_signal(signal) || is_internal(signal) || signal == SIGKILL || signal == SIGSTOP || handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    struct __tpm_action old = __tpm_action_of(signal), new = { handler, __tpm_bit(signal), flags };
    __tpm_set_action(signal, new);
    return old.handler;
}

/* C11 7.14.1.1: the handler of a signal. As in the C library, calls that it interrupts go on. */
TP_DOES("signals")
TP_DOES("handlers")
__tpm_handler *signal(int signal, __tpm_handler *handler)
{
    return install(signal, handler, SA_RESTART);
}

TP_DOES("signals")
TP_DOES("handlers")
__tpm_handler *bsd_signal(int signal, __tpm_handler *handler)
{
    return install(signal, handler, SA_RESTART);
}

/* System V: the handler is gone once it is called, and is not protected from itself. */
TP_DOES("signals")
TP_DOES("handlers")
__tpm_handler *__sysv_signal(int signal, __tpm_handler *handler)
{
    return install(signal, handler, SA_RESETHAND | SA_NODEFER);
}

/* POSIX siginterrupt: whether calls that the signal interrupts fail. */
TP_DOES("signals")
int siginterrupt(int signal, int fails)
{
    if (!is_signal(signal) || is_internal(signal) || signal == SIGKILL || signal == SIGSTOP)
        return fail(EINVAL);
    struct __tpm_action action = __tpm_action_of(signal);
    action.flags = fails ? action.flags & ~(unsigned)SA_RESTART : action.flags | SA_RESTART;
    __tpm_set_action(signal, action);
    return 0;
}

/* POSIX pthread_sigmask: the signals that the thread blocks; returns the error number. */
TP_DOES("signals")
int pthread_sigmask(int how, const __tpm_signals *set, __tpm_signals *before)
{
    __tpm_signals old = __tpm_blocked(), new = old, wanted = set ? *set : 0;
    if (set && how == SIG_BLOCK)
        new = old | wanted;
    else if (set && how == SIG_UNBLOCK)
        new = old & ~wanted;
    else if (set && how == SIG_SETMASK)
        new = wanted;
    else if (set)
        return EINVAL;
    if (before) {
        sigemptyset(before);
        *before = old;
    }
    if (set)
        __tpm_block(new);
    return 0;
}

/* POSIX sigprocmask: the same. */
TP_DOES("signals")
int sigprocmask(int how, const __tpm_signals *set, __tpm_signals *before)
{
    int error = pthread_sigmask(how, set, before);
    return error ? fail(error) : 0;
}

/* POSIX sigpending: what was sent and is blocked. */
TP_DOES("signals")
int sigpending(__tpm_signals *set)
{
    sigemptyset(set);
    *set = __tpm_pending() & __tpm_blocked();
    return 0;
}

/* C11 7.14.2.1: sends a signal to the calling thread, and returns after its handler has. */
TP_DOES("signals")
TP_DOES("sends-signals")
int raise(int signal)
{
    if (signal < 0 || signal > SIGNALS)
        return fail(EINVAL);
    if (signal != 0)
        __tpm_send(__tp_self(), signal);
    return 0;
}

/* POSIX pthread_kill: sends a signal to a thread; 0 only asks whether it is there. */
TP_DOES("signals")
TP_DOES("sends-signals")
int pthread_kill(__tpm_thread_id id, int signal)
{
    unsigned thread = __tpm_number_of(id);
    if (signal < 0 || signal > SIGNALS || is_internal(signal))
        return EINVAL;
    if (thread != TP_NOBODY && signal != 0)
        __tpm_send(thread, signal);
    return 0;
}

enum { OWN_PROCESS = 1000 };

/* POSIX kill: sends a signal to a process: this one, by its number or that of its group. */
TP_DOES("signals")
TP_DOES("sends-signals")
int kill(int process, int signal)
{
    if (signal < 0 || signal > SIGNALS)
        return fail(EINVAL);
    if (process != OWN_PROCESS && process != 0 && process != -OWN_PROCESS)
        return fail(process == 999 || process == -1 ? EPERM : ESRCH);
    if (signal != 0)
        __tpm_send_to_process(signal);
    return 0;
}

TP_DOES("signals")
TP_DOES("sends-signals")
int killpg(int group, int signal)
{
    return kill(group == 0 ? 0 : -group, signal);
}

/* POSIX sigqueue: the same with a value, which handlers are not told here. */
TP_DOES("signals")
TP_DOES("sends-signals")
int sigqueue(int process, int signal, void *value)
{
    (void)value;
    return kill(process, signal);
}

/* POSIX sigwait: waits for a signal of the set, which is blocked, and takes it. A handler that runs meanwhile does not end it. */
TP_DOES("signals")
int sigwait(const __tpm_signals *set, int *signal)
{
    int taken = __tpm_take_signal(*set, 0);
    if (__tp_option_signals == TP_HANDLERS)
        while (taken == TPM_INTERRUPTED)
            taken = __tpm_take_signal(*set, 0);
    *signal = taken;
    return 0;
}

struct information {
    int signal;
    int error;
    int code;
    int more[29];
};

static int report(int signal, struct information *information)
{
    if (signal == TPM_INTERRUPTED)
        return fail(EINTR);
    if (information) {
        __builtin_memset(information, 0, sizeof *information);
        information->signal = signal;
    }
    return signal;
}

/* POSIX sigwaitinfo: the same; returns the signal, or EINTR when a handler has run. */
TP_DOES("signals")
int sigwaitinfo(const __tpm_signals *set, struct information *information)
{
    return report(__tpm_take_signal(*set, 0), information);
}

/* POSIX sigtimedwait: the same, but EAGAIN when the time is up: here that may be at once. */
TP_DOES("signals")
int sigtimedwait(const __tpm_signals *set, struct information *information, const void *span)
{
    struct __tpm_deadline limit = __tpm_read_deadline(span);
    if (!__tpm_is_valid(limit))
        return fail(EINVAL);
    __tp_yield();
    int signal = __tpm_take_signal(*set, 1);
    return signal ? report(signal, information) : fail(EAGAIN);
}

/* POSIX pause: waits until a handler has run. */
TP_DOES("signals")
int pause(void)
{
    __tpm_wait_for_handler();
    return fail(EINTR);
}

/* POSIX sigsuspend: the same with other signals blocked, in one step. */
TP_DOES("signals")
int sigsuspend(const __tpm_signals *set)
{
    __tpm_wait_with_blocked(*set);
    return fail(EINTR);
}

/* POSIX alarm: SIGALRM comes in so many seconds: at any time here. Returns what was left of the alarm before. */
TP_DOES("signals")
unsigned alarm(unsigned seconds)
{
    return __tpm_set_timer(seconds != 0, 0);
}

TP_DOES("signals")
unsigned ualarm(unsigned microseconds, unsigned again)
{
    return __tpm_set_timer(microseconds != 0, again != 0);
}

/* struct itimerval: the time between alarms, and until the next one. */
struct timer {
    long again_seconds, again_microseconds;
    long seconds, microseconds;
};

/* POSIX setitimer: SIGALRM comes once or again and again. Timers of processor time are accepted, and do not fire. */
TP_DOES("signals")
int setitimer(int which, const struct timer *new, struct timer *before)
{
    if (which < 0 || which > 2)
        return fail(EINVAL);
    struct timer timer = *new;
    _Bool old = 0;
    if (which == 0)
        old = __tpm_set_timer(timer.seconds || timer.microseconds, timer.again_seconds || timer.again_microseconds);
    if (before) {
        __builtin_memset(before, 0, sizeof *before);
        before->seconds = old;
    }
    return 0;
}

/* POSIX sigaltstack: accepted. */
int sigaltstack(const void *stack, void *before)
{
    (void)stack;
    if (before)
        __builtin_memset(before, 0, 3 * sizeof(void *));
    return 0;
}

TP_END
