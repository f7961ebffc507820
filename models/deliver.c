/* How signals reach threads: who gets a signal, and where its handler runs.
 *
 * A handler runs as a call in the thread that gets the signal: at a *point*, which the front end puts before every access
 * of the program that other threads can observe (crates/frontend/src/signals.rs), or while the thread waits. Everything is
 * done here, in words that steps change; no other part of Threadproof knows what a signal is.
 *
 * Signals come from the program, and from outside: the outside sends each signal that a handler is installed for, or that
 * a thread waits for, at most once, to a thread that is chosen when the handler is installed. So arrivals change nothing
 * that threads share. Where it may come, it is an input whether it does. */
#include "signals.h"

enum { SLOTS = 16 };  /* threads with numbers that are so far apart share their state here */
enum { HANDLED = 16 }; /* signals that can have handlers */

/* What others know of a thread. */
struct slot {
    __tpm_signals pending; /* sent to it, not handled yet */
    __tpm_signals blocked;
    int is_there;          /* of the first thread: it has ended */
};

/* The signals that have, or had, handlers of the program, in the order in which these were installed. Loops go over these,
 * so that the number of a signal is the same in all executions. */
struct handled {
    int signal;        /* 0: no more */
    unsigned receiver; /* the thread to which the outside may send it: its slot plus 1 */
};

static struct slot slots[SLOTS];
static struct handled handled[HANDLED];
static struct __tpm_action actions[SIGNALS + 1];
static __tpm_signals for_process; /* sent to whichever thread does not block it */

/* The thread that SIGALRM is for, when a timer is set: its slot plus 1. */
static unsigned timer;
static _Bool timer_repeats;

static _Thread_local __tpm_signals blocked;
static _Thread_local __tpm_signals arrived; /* what the outside has sent to this thread */
static _Thread_local unsigned handlers;     /* that run in this thread now */
static _Thread_local __tpm_signals deferred; /* sent by a handler to its own thread, and blocked there */
static _Thread_local unsigned held;         /* atomic sections of the program that this thread is in */

static unsigned own_slot(void)
{
    return __tp_self() % SLOTS;
}

static __tpm_signals first_of(__tpm_signals set)
{
    return set & -set;
}

static int number_of(__tpm_signals bit)
{
    return __builtin_ctzll(bit) + 1;
}

/* What another thread may do to these words orders nothing for a thread that only looks. */
TP_DOES("quiet")
static __tpm_signals __tpm_quiet_look_at(const __tpm_signals *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/* The signals that can be blocked (32 and 33 are the C library's), and those that users or systems send to a program. */
#define CAN_BE_BLOCKED (~(__tpm_bit(SIGKILL) | __tpm_bit(SIGSTOP) | __tpm_bit(32) | __tpm_bit(33)))
enum {
    OUTSIDE = 1 << (SIGHUP - 1) | 1 << (SIGINT - 1) | 1 << (SIGQUIT - 1) | 1 << (SIGTERM - 1) | 1 << (SIGTSTP - 1)
              | 1 << (SIGCONT - 1) | 1 << (SIGWINCH - 1) | 1 << (SIGCHLD - 1)
};
enum { FOR_USERS = 1 << (SIGUSR1 - 1) | 1 << (SIGUSR2 - 1) };

/* A program that sends signals itself keeps SIGUSR1 and SIGUSR2 for that. */
static __tpm_signals from_outside(void)
{
    if (__tp_option_sends)
        return OUTSIDE;
    return OUTSIDE | FOR_USERS;
}

struct __tpm_action __tpm_action_of(int signal)
{
    __tp_atomic_begin();
    struct __tpm_action action = actions[signal];
    __tp_atomic_end();
    return action;
}

/* The thread that gets what the outside sends: one of the first four. */
static unsigned any_thread(void)
{
    if (!__tp_option_threads || !__tp_input_bool("another thread than the first gets the signal"))
        return 0;
    if (!__tp_input_bool("a later thread than the second gets the signal"))
        return 1;
    return __tp_input_bool("the fourth thread gets the signal") ? 3 : 2;
}

/* The signal has a handler from now on. In an atomic step. */
static void note_handler(int signal)
{
    int i = 0;
    while (i < HANDLED && handled[i].signal != 0 && handled[i].signal != signal)
        i++;
    if (i < HANDLED && handled[i].signal == 0) {
        handled[i].signal = signal;
        handled[i].receiver = __tpm_bit(signal) & from_outside() ? any_thread() + 1 : 0;
    }
}

/* The default action of a signal, where it is not to be ignored: the program ends. */
static void act_by_default(int signal)
{
    switch (signal) {
    case SIGCHLD: case SIGCONT: case SIGURG: case SIGWINCH:
    case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: /* it stops, and is continued */
        return;
    default:
        __tp_exit(128 + signal);
    }
}

/* Tells others what this thread blocks. */
static void make_known(void)
{
    __tp_atomic_begin();
    slots[own_slot()].blocked = blocked;
    __tp_atomic_end();
}

/* siginfo_t, as far as there is something to say. */
struct information {
    int signal;
    int error;
    int code;
    int more[29];
};

static void inform(__tpm_handler *handler, int signal)
{
    struct information information = { signal, 0, 0, { 0 } };
    ((void (*)(int, void *, void *))handler)(signal, &information, 0);
}

static void handle_deferred(void);

/* Does what the program wants to be done about a signal. Returns whether a call that it interrupts fails, rather than
 * going on. */
static _Bool handle(int signal)
{
    __tp_atomic_begin();
    __tpm_handler *handler = actions[signal].handler;
    __tpm_signals mask = actions[signal].mask;
    unsigned flags = actions[signal].flags;
    if (flags & SA_RESETHAND)
        actions[signal].handler = SIG_DFL;
    __tp_atomic_end();
    if (handler == SIG_IGN)
        return 0;
    if (handler == SIG_DFL) {
        act_by_default(signal);
        return 0;
    }
    __tpm_signals before = blocked;
    __tpm_signals during = before | mask | (flags & SA_NODEFER ? 0 : __tpm_bit(signal));
    blocked = during;
    handlers++;
    if (flags & SA_SIGINFO)
        inform(handler, signal);
    else
        handler(signal);
    handlers--;
    _Bool is_changed = blocked != during;
    blocked = before;
    if (is_changed)
        make_known();
    if (deferred & ~blocked)
        handle_deferred();
    return !(flags & SA_RESTART);
}

/* How a signal can be there for a thread. */
enum source { NONE, SENT, FROM_OUTSIDE, FROM_TIMER };

/* Whether the thread of a slot can handle a signal. */
static _Bool is_open(unsigned slot, __tpm_signals bit)
{
    _Bool is_there = (slot == 0) != slots[slot].is_there;
    return is_there && !(slots[slot].blocked & bit);
}

/* Whether a signal that has a handler is there for this thread, or may be. A thread that waits also gets what is meant
 * for one that cannot have it. In an atomic step. */
static enum source source_of(int signal, unsigned receiver, _Bool waits)
{
    __tpm_signals bit = __tpm_bit(signal);
    if (blocked & bit)
        return NONE;
    if (__tp_option_sends
        && ((__tpm_quiet_look_at(&slots[own_slot()].pending) | __tpm_quiet_look_at(&for_process)) & bit))
        return SENT;
    if (signal == SIGALRM)
        receiver = timer;
    if (receiver == 0 || (receiver != own_slot() + 1 && !(waits && !is_open(receiver - 1, bit))))
        return NONE;
    return signal == SIGALRM ? FROM_TIMER : arrived & bit ? NONE : FROM_OUTSIDE;
}

/* A signal comes to this thread; false if another thread was faster. */
static _Bool take(int signal, enum source source)
{
    __tpm_signals bit = __tpm_bit(signal);
    if (source == FROM_OUTSIDE) {
        arrived |= bit;
        return 1;
    }
    _Bool is_there = 1;
    __tp_atomic_begin();
    if (source == FROM_TIMER) {
        is_there = timer != 0;
        if (!timer_repeats)
            timer = 0;
    } else if (slots[own_slot()].pending & bit) {
        slots[own_slot()].pending &= ~bit;
    } else {
        is_there = (for_process & bit) != 0;
        for_process &= ~bit;
    }
    __tp_atomic_end();
    return is_there;
}

/* The handler has returned that sent them. */
static void handle_deferred(void)
{
    for (__tpm_signals now = deferred & ~blocked; now; now = deferred & ~blocked) {
        deferred &= ~first_of(now);
        if (take(number_of(first_of(now)), SENT))
            handle(number_of(first_of(now)));
    }
}

/* The name of an input. */
static _Bool comes(int signal)
{
    switch (signal) {
    case SIGHUP: return __tp_input_rarely("SIGHUP arrives");
    case SIGINT: return __tp_input_rarely("SIGINT arrives");
    case SIGQUIT: return __tp_input_rarely("SIGQUIT arrives");
    case SIGUSR1: return __tp_input_rarely("SIGUSR1 arrives");
    case SIGUSR2: return __tp_input_rarely("SIGUSR2 arrives");
    case SIGALRM: return __tp_input_rarely("SIGALRM arrives");
    case SIGTERM: return __tp_input_rarely("SIGTERM arrives");
    case SIGCHLD: return __tp_input_rarely("SIGCHLD arrives");
    case SIGCONT: return __tp_input_rarely("SIGCONT arrives");
    case SIGTSTP: return __tp_input_rarely("SIGTSTP arrives");
    case SIGWINCH: return __tp_input_rarely("SIGWINCH arrives");
    default: return __tp_input_rarely("a signal arrives");
    }
}

/* Handles the i-th of the signals, if it comes now: an input decides. Returns false if there are no more. */
static _Bool offer(int i)
{
    __tp_atomic_begin();
    int signal = handled[i].signal;
    enum source source = signal ? source_of(signal, handled[i].receiver, 0) : NONE;
    __tp_atomic_end();
    if (source == SENT ? __tp_input_bool("the signal is handled") : source != NONE && comes(signal))
        if (take(signal, source))
            handle(signal);
    return signal != 0;
}

/* Several signals may come at the same time, in any order. */
static void offer_all(void)
{
    int i = 0;
    while (i < HANDLED && offer(i))
        i++;
    /* With several, the first ones may come last. */
    for (int j = 0; j + 1 < i; j++)
        offer(j);
}

/* Where a handler may run: before an access of the program, or a call of a model. `unsafe`: what to report if this is a handler,
 * as the model may not be called there (POSIX 2.4.3). */
TP_DOES("signal-point")
void __tpm_signal_point(const char *unsafe)
{
    if (unsafe)
        __tp_assert(handlers == 0, TP_SIGNAL, unsafe);
    if (held || (blocked & CAN_BE_BLOCKED) == CAN_BE_BLOCKED)
        return;
    offer_all();
}

/* POSIX 2.4.1: that a signal is sent but not yet delivered "ordinarily cannot be detected by an application". A system
 * delivers it long before it ends another thread, so what was sent before a thread ended is handled before the join
 * returns. */
void __tpm_handle_sent(void)
{
    if (held)
        return;
    offer_all();
    int signal = 1;
    for (int i = 0; i < HANDLED && signal; i++) {
        __tp_atomic_begin();
        signal = handled[i].signal;
        _Bool is_there = signal && source_of(signal, 0, 0) == SENT && take(signal, SENT);
        __tp_atomic_end();
        if (is_there)
            handle(signal);
    }
}

void __tpm_set_action(int signal, struct __tpm_action action)
{
    __tp_atomic_begin();
    actions[signal] = action;
    if (__tp_option_signals == TP_HANDLERS && action.handler != SIG_DFL && action.handler != SIG_IGN)
        note_handler(signal);
    if (action.handler == SIG_IGN) {
        for_process &= ~__tpm_bit(signal);
        slots[own_slot()].pending &= ~__tpm_bit(signal);
    }
    __tp_atomic_end();
    if (__tp_option_signals == TP_HANDLERS)
        __tpm_signal_point(0);
}

/* A call that waits goes on when a signal is to be handled: whether one is. In an atomic step. */
_Bool __tpm_has_signal(void)
{
    _Bool any = 0;
    for (int i = 0; i < HANDLED && handled[i].signal; i++)
        any |= source_of(handled[i].signal, handled[i].receiver, 1) != NONE;
    return any && !held;
}

_Bool __tpm_has_sent_signal(void)
{
    _Bool any = 0;
    for (int i = 0; i < HANDLED && handled[i].signal; i++)
        any |= source_of(handled[i].signal, handled[i].receiver, 1) == SENT;
    return any && !held;
}

int __tpm_take_handled(void)
{
    int signal = 0;
    enum source source = NONE;
    for (int i = 0; i < HANDLED && handled[i].signal; i++) {
        enum source other = source_of(handled[i].signal, handled[i].receiver, 1);
        if (other != NONE && (source == NONE || __tp_input_bool("a later signal is handled"))) {
            signal = handled[i].signal;
            source = other;
        }
    }
    if (source != NONE)
        take(signal, source);
    return signal;
}

_Bool __tpm_handle(int signal)
{
    return handle(signal);
}

/* Handles a signal for which a call has stopped waiting: any one, unless another thread was faster. Returns whether the
 * call fails. */
_Bool __tpm_interrupted(void)
{
    __tp_atomic_begin();
    int signal = __tpm_take_handled();
    __tp_atomic_end();
    return signal && handle(signal);
}

_Bool __tpm_has_handled(void)
{
    __tp_atomic_begin();
    int signal = __tpm_take_handled();
    __tp_atomic_end();
    if (signal)
        handle(signal);
    return signal != 0;
}

__tpm_signals __tpm_exchange_blocked(__tpm_signals set)
{
    __tpm_signals before = blocked;
    blocked = set & CAN_BE_BLOCKED;
    return before;
}

_Bool __tpm_in_handler(void)
{
    return handlers > 0;
}

void __tpm_hold_signals(void)
{
    held++;
}

void __tpm_let_signals_in(void)
{
    held--;
}

/* POSIX pthread_create: a new thread blocks the signals that its creator blocks; none is pending. */
void __tpm_signals_inherited(unsigned thread)
{
    struct slot *slot = &slots[thread % SLOTS];
    slot->pending = 0;
    slot->blocked = blocked;
    slot->is_there = 1;
}

void __tpm_signals_begin(void)
{
    blocked = slots[own_slot()].blocked;
}

void __tpm_signals_end(void)
{
    slots[own_slot()].is_there = __tp_self() == 0;
}

__tpm_signals __tpm_blocked(void)
{
    return blocked;
}

/* What was sent to this thread or to any. */
static __tpm_signals sent(void)
{
    __tp_atomic_begin();
    __tpm_signals set = slots[own_slot()].pending | for_process;
    __tp_atomic_end();
    return set;
}

void __tpm_block(__tpm_signals set)
{
    blocked = set & CAN_BE_BLOCKED;
    make_known();
    if (!__tp_option_sends)
        return;
    for (__tpm_signals now = sent() & ~blocked; now; now = sent() & ~blocked) {
        int signal = number_of(first_of(now));
        if (take(signal, SENT))
            handle(signal);
    }
}

void __tpm_send(unsigned thread, int signal)
{
    struct slot *to = &slots[thread % SLOTS];
    __tp_atomic_begin();
    __tpm_handler *handler = actions[signal].handler;
    _Bool is_blocked = ((thread == __tp_self() ? blocked : to->blocked) & __tpm_bit(signal)) != 0;
    _Bool is_own = thread == __tp_self() && !is_blocked;
    if (is_blocked || (!is_own && handler != SIG_DFL && handler != SIG_IGN))
        to->pending |= __tpm_bit(signal);
    __tp_atomic_end();
    if (is_blocked && handlers && thread == __tp_self())
        deferred |= __tpm_bit(signal);
    if (is_blocked || handler == SIG_IGN)
        return;
    if (handler == SIG_DFL)
        act_by_default(signal);
    else if (is_own && __tp_option_signals == TP_HANDLERS)
        handle(signal);
}

/* POSIX 2.4.1: a signal for the process is pending for it until a thread takes it that does not block it, or waits for it in
 * `sigwait`. If no other thread can, this one does before `kill` returns. */
void __tpm_send_to_process(int signal)
{
    __tpm_signals bit = __tpm_bit(signal);
    _Bool own = !(blocked & bit), other = 0;
    __tp_atomic_begin();
    __tpm_handler *handler = actions[signal].handler;
    if (__tp_option_threads)
        for (unsigned i = 0; i < SLOTS; i++)
            other |= i != own_slot() && is_open(i, bit);
    _Bool is_left = !own && !other;
    if (handler != SIG_DFL && handler != SIG_IGN)
        is_left = !own || (other && __tp_input_bool("the signal stays for any thread"));
    if (is_left)
        for_process |= bit;
    __tp_atomic_end();
    if (is_left && !own && handlers)
        deferred |= bit;
    if (is_left || handler == SIG_IGN)
        return;
    if (handler == SIG_DFL)
        act_by_default(signal);
    else
        handle(signal);
}

_Bool __tpm_set_timer(_Bool is_set, _Bool again)
{
    __tp_atomic_begin();
    _Bool before = timer != 0;
    timer = is_set ? any_thread() + 1 : 0;
    timer_repeats = again;
    __tp_atomic_end();
    return before;
}

/* Takes one of the signals that are there, or, if none is, one of those that the outside may send. 0: there are none. In
 * an atomic step, so that no two threads take the same. */
static int take_one(__tpm_signals set, __tpm_signals now, __tpm_signals later)
{
    int signal = 0;
    for (__tpm_signals left = set; left; left &= left - 1) {
        __tpm_signals bit = first_of(left);
        if (now ? now & bit && !signal : later & bit && (!signal || __tp_input_bool("a later signal arrives")))
            signal = number_of(bit);
    }
    if (signal && now)
        take(signal, signal == SIGALRM && timer ? FROM_TIMER : SENT);
    else if (signal)
        arrived |= __tpm_bit(signal);
    return signal;
}

/* Takes a signal for a thread that waits for it in `sigwait`: one that was sent, or one that the outside sends. When the
 * outside has sent all that it may, the thread goes on waiting, and that is no deadlock. */
int __tpm_take_signal(__tpm_signals set, _Bool limited)
{
    __tpm_signals outside = set & from_outside(), later = outside & ~arrived, now = 0;
    if (__tp_option_signals == TP_NO_SIGNALS)
        later = 0;
    __tpm_cancel_point();
    __tp_atomic_begin();
    if (__tp_option_sends)
        now = (slots[own_slot()].pending | for_process) & set;
    if (timer && !now)
        now = __tpm_bit(SIGALRM) & set;
    if (!limited) {
        __tp_waiting(TP_WAIT_SIGNAL, slots, TP_NOBODY);
        __tp_await(now || later || (outside && (__tp_option_signals || !__tp_option_sends)) || __tpm_is_cancelled()
                   || (__tp_option_signals == TP_HANDLERS && __tpm_has_signal()));
    } else if (!now && later && !__tp_input_bool("a signal arrives in time")) {
        later = 0;
    }
    _Bool ends = __tpm_ends_here(now || later || limited);
    int other = ends || now ? 0 : __tpm_ends_wait();
    int signal = ends || other ? 0 : take_one(set, now, later);
    __tp_atomic_end();
    if (ends)
        __tpm_end_cancelled();
    if (__tp_option_signals == TP_HANDLERS && other) {
        handle(other);
        return TPM_INTERRUPTED;
    }
    if (!limited)
        __tp_assume(signal != 0);
    return signal;
}

__tpm_signals __tpm_pending(void)
{
    return sent();
}

/* As in sigwait, waiting for what the outside might send again is no deadlock. */
void __tpm_wait_for_handler(void)
{
    __tpm_cancel_point();
    __tp_assume(__tp_option_signals != TP_NO_SIGNALS || __tp_option_cancel);
    _Bool may_come_again = __tp_option_signals == TP_NO_SIGNALS;
    __tp_atomic_begin();
    for (int i = 0; i < HANDLED && handled[i].signal; i++)
        may_come_again |= handled[i].receiver && !(blocked & __tpm_bit(handled[i].signal));
    _Bool ready = __tpm_has_signal();
    __tp_waiting(TP_WAIT_SIGNAL, slots, TP_NOBODY);
    __tp_await(ready || may_come_again || __tpm_is_cancelled());
    _Bool ends = __tpm_ends_here(ready);
    int signal = ends ? 0 : __tpm_take_handled();
    __tp_atomic_end();
    if (ends)
        __tpm_end_cancelled();
    __tp_assume(ready);
    handle(signal);
}

void __tpm_wait_with_blocked(__tpm_signals set)
{
    __tpm_signals before = blocked;
    blocked = set & CAN_BE_BLOCKED;
    __tpm_wait_for_handler();
    blocked = before;
}

void __tpm_broken_pipe(void)
{
    __tpm_send(__tp_self(), SIGPIPE);
}
