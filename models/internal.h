/* What the models share among themselves: error numbers, and the few functions that one model offers to another.
 *
 * No system header is included: the models are compiled once for each data model, on machines that may have headers
 * for one of them only. Names that start with `__tpm_` are ours and cannot clash with a program's own functions. */
#ifndef TPM_INTERNAL_H
#define TPM_INTERNAL_H

#include "tp.h"
#include <stddef.h>

enum {
    EPERM = 1,
    ESRCH = 3,
    EINTR = 4,
    EAGAIN = 11,
    ENOMEM = 12,
    EBUSY = 16,
    EINVAL = 22,
    ERANGE = 34,
    EDEADLK = 35,
    EOVERFLOW = 75,
    ETIMEDOUT = 110
};

/* errno of this thread. */
int *__errno_location(void);
#define errno (*__errno_location())

TP_ALL_DO("helper")

/* The calling thread as the owner of a lock: its number plus 1, as 0 is nobody. No function, so that each file says what it
 * does with the number. */
#define __tpm_me() (__tp_self() + 1)

/* A step that does nothing, so that reports show the call. */
static inline void __tpm_show_call(void)
{
    __tp_atomic_begin();
    __tp_atomic_end();
}

/* For functions that try and may fail, in an atomic step: a try that fails must not synchronise (C17 7.26.4.5). So the
 * word is first read relaxed; a try that succeeds reads it once more, which synchronises, before it writes. */
static inline unsigned __tpm_peek(const unsigned *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void __tpm_read_again(const unsigned *word)
{
    (void)*(const volatile unsigned *)word;
}

/* Accesses that order nothing (`quiet`): for words that a step has to read or change without synchronising with earlier
 * steps. The caller of the model must not be able to infer from its result what was read. The result of a try that
 * fails shows it, so a try reads with `__tpm_peek`. An access that publishes is quiet but for this: a later step that
 * reads the word, not quietly, is ordered after it. */
TP_DOES("quiet")
static inline unsigned __tpm_quiet_look(const unsigned *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

TP_DOES("quiet")
static inline void __tpm_quiet_set(unsigned *word, unsigned value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

TP_DOES("quiet")
static inline void __tpm_quiet_add(unsigned *word, unsigned value)
{
    __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
}

TP_DOES("quiet")
static inline void __tpm_quiet_add_and_publish(unsigned *word, unsigned value)
{
    __atomic_fetch_add(word, value, __ATOMIC_RELEASE);
}

/* A deadline (struct timespec), as read by a function that waits until then. */
struct __tpm_deadline {
    long seconds;
    long nanoseconds;
};

static inline struct __tpm_deadline __tpm_read_deadline(const void *moment)
{
    const volatile long *seconds = moment, *nanoseconds = seconds + 1;
    struct __tpm_deadline deadline = { *seconds, *nanoseconds };
    return deadline;
}

/* POSIX: EINVAL unless nanoseconds are at least 0 and below 10^9. */
static inline _Bool __tpm_is_valid(struct __tpm_deadline deadline)
{
    return deadline.nanoseconds >= 0 && deadline.nanoseconds < 1000000000;
}

/* CLOCK_REALTIME and CLOCK_MONOTONIC: the clocks that a wait can use. */
enum { REALTIME = 0, MONOTONIC = 1 };

/* A date in the year 2025, when every program begins. */
enum { BEGIN = 1750000000 };

/* In a step: it waits until `done` holds or the time is up, whichever is first. */
static inline void __tpm_rest_until(_Bool done, int clock, struct __tpm_deadline deadline)
{
    __tp_rest_until(done, (long long)deadline.seconds - (clock == REALTIME ? BEGIN : 0), deadline.nanoseconds);
}

TP_END

/* A time since the program began, or a span. */
struct __tpm_moment {
    unsigned long long seconds;
    unsigned nanoseconds;
};

/* In steps: the time after this span; the span until this time; the clock has reached this time. */
struct __tpm_moment __tpm_moment_in(unsigned long long seconds, unsigned nanoseconds);
struct __tpm_moment __tpm_until(const struct __tpm_moment *then);
void __tpm_reach(const struct __tpm_moment *then);

/* In the step of a wait that times out: the deadline is reached, and nobody reads an earlier time from that clock. */
void __tpm_time_is_up(int clock, struct __tpm_deadline deadline);

/* Thread ids as programs see them; 0 is never one. */
typedef unsigned long __tpm_thread_id;

/* Starts a thread that runs the one of the two routines that is not null. */
void __tpm_create(__tpm_thread_id *id, int detached, void *(*routine)(void *), int (*c11_routine)(void *),
                  void *argument);
/* Stores the result where the two pointers are not null. */
int __tpm_join(__tpm_thread_id id, void **result, int *c11_result);
/* The number of the thread with this id; TP_NOBODY if it has ended. */
unsigned __tpm_number_of(__tpm_thread_id id);
_Noreturn void __tpm_thread_end(void *result);
void __tpm_wait_for_other_threads(void);

/* Cancellation. Whether another thread has asked this one to end. */
unsigned *__tpm_cancel_request(void);
/* In a step: this thread has been asked to end, and lets that happen. */
_Bool __tpm_cancel_pending(void);
/* Ends the thread as pthread_exit does. Not in a step. */
_Noreturn void __tpm_end_cancelled(void);
/* The thread ends anyway. */
void __tpm_ignore_cancel(void);
void __tpm_test_cancel(void);

TP_ALL_DO("helper")

/* What is done if so is under `__tp_option_cancel` as well, so that it is absent from programs without cancellation. */
static inline _Bool __tpm_is_cancelled(void)
{
    return __tp_option_cancel && __tpm_cancel_pending();
}

/* In the step of a cancellation point that has waited for something: whether the thread ends here. If what it waited for is
 * there too, either may have come first. */
static inline _Bool __tpm_ends_here(_Bool ready)
{
    return __tpm_is_cancelled() && (!ready || __tp_input_bool("cancelled first"));
}

/* A cancellation point that does not wait. */
static inline void __tpm_cancel_point(void)
{
    if (__tp_option_cancel)
        __tpm_test_cancel();
}

TP_END

/* Thread-specific data and cleanup handlers, at the end of a thread. */
void __tpm_run_key_destructors(void);
void __tpm_run_cleanup_handlers(void);

/* Handlers of atexit. */
_Bool __tpm_has_exit_handlers(void);

/* Signals (models/deliver.c). A call that waits is interrupted when a handler is to run: `__tpm_await` is false then, and
 * after the step `__tpm_interrupted` runs the handler. It says whether the call fails with EINTR rather than going on, if
 * it is one that can. */
_Bool __tpm_has_signal(void);
_Bool __tpm_interrupted(void);
/* In a step: takes a signal that a handler is to run for; 0: there is none. After the step `__tpm_handle` runs the handler. */
int __tpm_take_handled(void);
_Bool __tpm_handle(int signal);
/* Handles what the program has sent to this thread. */
void __tpm_handle_sent(void);
/* The same for calls that never go on after a handler: whether one was run. */
_Bool __tpm_has_handled(void);
/* In a step: whether the program has sent this thread a signal that a handler is to run for. */
_Bool __tpm_has_sent_signal(void);
/* In an atomic section of the program no handler runs. */
void __tpm_hold_signals(void);
void __tpm_let_signals_in(void);
/* In the steps in which a thread is started by another one, begins and ends. */
void __tpm_signals_inherited(unsigned thread);
void __tpm_signals_begin(void);
void __tpm_signals_end(void);
/* The calling thread has written to a pipe that nobody reads. */
void __tpm_broken_pipe(void);

TP_DOES("helper")
static inline _Bool __tpm_await(_Bool ready)
{
    if (__tp_option_signals == TP_HANDLERS) {
        __tp_await(ready || __tpm_has_signal());
        return ready;
    }
    __tp_await(ready);
    return 1;
}

/* In the step of a sleep or a timed wait: whether a signal is there already; whether one ends the wait; and the same where
 * the signal is taken: after the step `__tpm_handle` runs the handler. */
TP_DOES("helper")
static inline _Bool __tpm_was_sent_signal(void)
{
    return __tp_option_signals == TP_HANDLERS && __tp_option_sends && __tpm_has_sent_signal();
}

TP_DOES("helper")
static inline _Bool __tpm_interrupts_wait(void)
{
    return __tp_option_signals == TP_HANDLERS && __tpm_has_signal() && __tp_input_bool("a signal ends the wait");
}

TP_DOES("helper")
static inline int __tpm_ends_wait(void)
{
    return __tpm_interrupts_wait() ? __tpm_take_handled() : 0;
}

/* The heap as malloc gives it. */
void *__tpm_malloc(size_t size);

/* The heap as malloc and free use it where freed memory may be reused; a null pointer is ignored. */
void *__tpm_new(size_t size);
void __tpm_delete(void *p);

/* The status of a program that has ended abnormally. */
enum { ABORTED = 128 + 6 };

size_t __tpm_strlen(const char *s);

/* What write does in a program that can open files. */
long __tpm_write(int fd, const void *bytes, size_t count);

/* Only writes output, as do all functions whose names start with `__tpm_output_`. */
void __tpm_output_bytes(int fd, const void *bytes, size_t count);

#endif
