/* <setjmp.h>: leaving functions by a jump.
 *
 * The front end (crates/frontend/src/jumps.rs) writes a jump as what it does: longjmp notes it, and every function between it
 * and the frame that it is for returns at once. A function that calls setjmp numbers its active frames, in a local of its
 * own: whether that is still there tells whether the frame is. Values of locals that changed since setjmp, which C leaves open
 * if they are not volatile, are the changed ones. */
#include "signals.h"

TP_ALL_DO("signal-safe")

/* Lies in jmp_buf. */
struct jump {
    const unsigned *frame; /* its number */
    unsigned number;
    unsigned thread;
    int place;             /* which setjmp of the function it was */
    int has_signals;
    unsigned blocked[2];
};

/* The frames of this thread in which setjmp may have been called. */
static _Thread_local unsigned frames;

/* The jump on its way: to the frame of this number; 0: none. */
static _Thread_local unsigned target;
static _Thread_local int target_place, target_value;

unsigned __tpm_enter_frame(void)
{
    return ++frames;
}

void __tpm_leave_frame(void)
{
    frames--;
}

unsigned __tpm_jump_target(void)
{
    return target;
}

int __tpm_jump_place(void)
{
    return target_place;
}

/* The jump has come to its end. */
int __tpm_jump_value(void)
{
    target = 0;
    return target_value;
}

void __tpm_set_jump(struct jump *to, const unsigned *frame, int place, int saves_signals)
{
    __tpm_signals blocked = __tp_option_signals && saves_signals ? __tpm_blocked() : 0;
    to->frame = frame;
    to->number = *frame;
    to->thread = __tp_self();
    to->place = place;
    to->has_signals = saves_signals != 0;
    to->blocked[0] = (unsigned)blocked;
    to->blocked[1] = (unsigned)(blocked >> 32);
}

/* C11 7.13.1.1: remembers where it is called, and returns 0; other values when something jumps there. Where nothing does, this
 * is all. */
TP_DOES("set-jump")
int _setjmp(struct jump *to)
{
    (void)to;
    return 0;
}

TP_DOES("set-jump")
int setjmp(struct jump *to)
{
    (void)to;
    return 0;
}

/* POSIX sigsetjmp: remembers the signals that are blocked, too. */
TP_DOES("set-jump")
int __sigsetjmp(struct jump *to, int saves_signals)
{
    (void)to;
    (void)saves_signals;
    return 0;
}

/* Reported when it is reached. */
void jump_out_of_a_signal_handler_without_model(void);

static void jump(struct jump *from, int value)
{
    if (__tp_option_signals == TP_HANDLERS && __tpm_in_handler())
        jump_out_of_a_signal_handler_without_model();
    struct jump to = *from;
    __tp_assert(to.thread == __tp_self(), TP_INVALID_DEREF, "longjmp to a place that another thread has set");
    __tp_assert(*to.frame == to.number, TP_INVALID_DEREF, "longjmp to a function that has returned");
    if (__tp_option_signals && to.has_signals)
        __tpm_block(to.blocked[0] | (unsigned long long)to.blocked[1] << 32);
    target_place = to.place;
    target_value = value ? value : 1;
    target = to.number;
}

/* C11 7.13.2.1: setjmp returns again, in a frame that is still active, with this value; 1 instead of 0. */
TP_DOES("jump")
void longjmp(struct jump *from, int value)
{
    jump(from, value);
}

TP_DOES("jump")
void _longjmp(struct jump *from, int value)
{
    jump(from, value);
}

TP_DOES("jump")
void siglongjmp(struct jump *from, int value)
{
    jump(from, value);
}

TP_END
