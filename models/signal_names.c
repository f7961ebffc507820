/* The names of signals, and their numbers where the C library gives them by functions. */
#include "signals.h"

static const char *const names[32] = {
    [1] = "Hangup",
    [2] = "Interrupt",
    [3] = "Quit",
    [4] = "Illegal instruction",
    [5] = "Trace/breakpoint trap",
    [6] = "Aborted",
    [7] = "Bus error",
    [8] = "Floating point exception",
    [9] = "Killed",
    [10] = "User defined signal 1",
    [11] = "Segmentation fault",
    [12] = "User defined signal 2",
    [13] = "Broken pipe",
    [14] = "Alarm clock",
    [15] = "Terminated",
    [16] = "Stack fault",
    [17] = "Child exited",
    [18] = "Continued",
    [19] = "Stopped (signal)",
    [20] = "Stopped",
    [21] = "Stopped (tty input)",
    [22] = "Stopped (tty output)",
    [23] = "Urgent I/O condition",
    [24] = "CPU time limit exceeded",
    [25] = "File size limit exceeded",
    [26] = "Virtual timer expired",
    [27] = "Profiling timer expired",
    [28] = "Window changed",
    [29] = "I/O possible",
    [30] = "Power failure",
    [31] = "Bad system call",
};

enum { SIGRTMIN = 34, SIGRTMAX = SIGNALS };

/* What SIGRTMIN and SIGRTMAX stand for in the C library: it keeps 32 and 33. */
TP_DOES("signal-safe")
int __libc_current_sigrtmin(void)
{
    return SIGRTMIN;
}

TP_DOES("signal-safe")
int __libc_current_sigrtmax(void)
{
    return SIGRTMAX;
}

/* POSIX strsignal: a text for a signal. */
char *strsignal(int signal)
{
    static char text[32];
    int snprintf(char *, size_t, const char *, ...);
    if (signal >= 1 && signal < 32)
        return (char *)names[signal];
    if (signal >= SIGRTMIN && signal <= SIGRTMAX)
        snprintf(text, sizeof text, "Real-time signal %d", signal - SIGRTMIN);
    else
        snprintf(text, sizeof text, "Unknown signal %d", signal);
    return text;
}

/* The C library's sigdescr_np: the same text, or null. */
TP_DOES("signal-safe")
const char *sigdescr_np(int signal)
{
    return signal >= 1 && signal < 32 ? names[signal] : 0;
}

/* POSIX psignal: writes it to standard error, after a text of the user. */
void psignal(int signal, const char *before)
{
    int dprintf(int, const char *, ...);
    if (before && *before)
        dprintf(2, "%s: ", before);
    dprintf(2, "%s\n", strsignal(signal));
}
