/* Barriers of POSIX.
 *
 * The last thread to arrive starts the next round; the others wait for the round to change. */
#include "internal.h"

TP_ALL_DO("signal-safe")

enum { SERIAL_THREAD = -1 };

/* Lies in pthread_barrier_t (32 or 20 bytes). */
struct barrier {
    unsigned count; /* 0: destroyed */
    unsigned arrived;
    unsigned round;
    unsigned leaving; /* released, but not gone yet */
};

/* POSIX pthread_barrier_init: makes a barrier for `count` threads. A count of 0 is an error: reported. */
int pthread_barrier_init(struct barrier *b, const int *attributes, unsigned count)
{
    (void)attributes;
    __tp_assert(count > 0, TP_LOCK, "a barrier for 0 threads");
    if (count == 0)
        return EINVAL;
    b->count = count;
    b->arrived = 0;
    b->round = 0;
    b->leaving = 0;
    __tpm_show_call();
    return 0;
}

/* Waits for the end of a round; false if a handler has to run first. */
static _Bool leave(struct barrier *b, unsigned round)
{
    __tp_atomic_begin();
    __tp_waiting(TP_WAIT_BARRIER, b, TP_NOBODY);
    _Bool ready = __tpm_await(b->round != round);
    if (ready)
        b->leaving--;
    __tp_atomic_end();
    return ready;
}

/* POSIX pthread_barrier_wait: waits until as many threads as the barrier is for have called it. One of them, here the
 * last, gets PTHREAD_BARRIER_SERIAL_THREAD, the others 0. */
int pthread_barrier_wait(struct barrier *b)
{
    __tp_atomic_begin();
    __tp_assert(b->count != 0, TP_LOCK, "wait on a barrier that is not initialised, or was destroyed");
    if (b->count == 0) {
        __tp_atomic_end();
        return EINVAL;
    }
    b->arrived++;
    if (b->arrived == b->count) {
        b->leaving += b->count - 1;
        b->arrived = 0;
        b->round++;
        __tp_atomic_end();
        return SERIAL_THREAD;
    }
    unsigned round = b->round;
    __tp_atomic_end();

    _Bool left = leave(b, round);
    if (__tp_option_signals == TP_HANDLERS)
        for (; !left; left = leave(b, round))
            __tpm_interrupted();
    return 0;
}

/* POSIX pthread_barrier_destroy: the barrier may not be used any more. While threads wait at it that is undefined:
 * reported. It waits for threads that were released and have not left yet. */
TP_DOES("destroy 0")
int pthread_barrier_destroy(struct barrier *b)
{
    __tp_atomic_begin();
    __tp_assert(b->count != 0, TP_LOCK, "destroy of a barrier that is not initialised, or was destroyed");
    __tp_assert(b->arrived == 0, TP_LOCK, "destroy of a barrier that threads wait at");
    __tp_waiting(TP_WAIT_BARRIER, b, TP_NOBODY);
    __tp_await(b->leaving == 0);
    b->count = 0;
    __tp_atomic_end();
    return 0;
}

TP_END
