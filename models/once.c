/* pthread_once, and C11's call_once. */
#include "internal.h"

TP_ALL_DO("signal-safe")
TP_ALL_DO("own-number")

/* What the one word of pthread_once_t and once_flag holds; the initialiser is 0. While the routine runs: RUNNING plus
 * the number of the thread that runs it. */
enum { NEW = 0, DONE = 1, RUNNING = 2 };

/* POSIX pthread_once: the first call runs the routine; every call returns after the routine has. */
TP_DOES("names-thread 0 0 2")
int pthread_once(unsigned *once, void (*routine)(void))
{
    __tp_atomic_begin();
    unsigned state = *once;
    if (state == NEW) {
        *once = RUNNING + __tp_self();
    } else {
        __tp_waiting(TP_WAIT_ONCE, once, state >= RUNNING ? state - RUNNING : TP_NOBODY);
        __tp_await(state == DONE);
    }
    __tp_atomic_end();
    if (state == NEW) {
        routine();
        __tp_atomic_begin();
        *once = DONE;
        __tp_atomic_end();
    }
    return 0;
}

/* C11 7.26.2.1: as pthread_once. */
void call_once(unsigned *flag, void (*routine)(void))
{
    pthread_once(flag, routine);
}

TP_END

TP_END
