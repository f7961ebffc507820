/* Signals, for the models of <signal.h>: numbers, sets, and what models/deliver.c keeps of them. */
#ifndef TPM_SIGNALS_H
#define TPM_SIGNALS_H

#include "internal.h"

enum {
    SIGHUP = 1, SIGINT = 2, SIGQUIT = 3, SIGABRT = 6, SIGKILL = 9, SIGUSR1 = 10, SIGUSR2 = 12, SIGPIPE = 13, SIGALRM = 14,
    SIGTERM = 15, SIGCHLD = 17, SIGCONT = 18, SIGSTOP = 19, SIGTSTP = 20, SIGTTIN = 21, SIGTTOU = 22, SIGURG = 23,
    SIGVTALRM = 26, SIGPROF = 27, SIGWINCH = 28, SIGNALS = 64
};

/* Signal n is bit n - 1. */
typedef unsigned long long __tpm_signals;

static inline __tpm_signals __tpm_bit(int signal)
{
    return 1ull << (signal - 1);
}

enum { SA_SIGINFO = 4, SA_RESTART = 0x10000000, SA_NODEFER = 0x40000000 };
#define SA_RESETHAND 0x80000000u

typedef void __tpm_handler(int);
#define SIG_DFL ((__tpm_handler *)0)
#define SIG_IGN ((__tpm_handler *)1)

/* What the program does about a signal. */
struct __tpm_action {
    __tpm_handler *handler;
    __tpm_signals mask;
    unsigned flags;
};

struct __tpm_action __tpm_action_of(int signal);
void __tpm_set_action(int signal, struct __tpm_action action);

/* The signals that the calling thread blocks. Signals that become unblocked and are pending are handled before this
 * returns. */
__tpm_signals __tpm_blocked(void);
void __tpm_block(__tpm_signals set);

/* For the time of a call that waits: the calling thread blocks these instead; returns those before. */
__tpm_signals __tpm_exchange_blocked(__tpm_signals set);

/* Whether the calling thread is in a handler. */
_Bool __tpm_in_handler(void);

/* Sends a signal: to the thread with this number, or to the process. */
void __tpm_send(unsigned thread, int signal);
void __tpm_send_to_process(int signal);

/* A timer will send SIGALRM; or not any more. Returns whether it would have before. */
_Bool __tpm_set_timer(_Bool is_set, _Bool again);

/* Waits for a signal of the set, and takes it; 0: none came in time, if there is a limit; or a handler has run first. */
enum { TPM_INTERRUPTED = -1 };
int __tpm_take_signal(__tpm_signals set, _Bool limited);
__tpm_signals __tpm_pending(void);
/* Waits until a handler has run. */
void __tpm_wait_for_handler(void);
/* The same while the thread blocks these. */
void __tpm_wait_with_blocked(__tpm_signals set);

#endif
