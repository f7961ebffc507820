/* Yielding to other threads, and functions that do not change which executions exist. */
#include "internal.h"

TP_ALL_DO("signal-safe")

/* POSIX sched_yield: lets other threads run. */
int sched_yield(void)
{
    __tp_yield();
    return 0;
}

/* The C library's pthread_yield: as sched_yield. */
int pthread_yield(void)
{
    return sched_yield();
}

/* POSIX pthread_setconcurrency: a hint of how many threads should run at once. */
int pthread_setconcurrency(int level)
{
    return level < 0 ? EINVAL : 0;
}

/* POSIX pthread_setschedparam, pthread_setschedprio: how urgent a thread is; every schedule is possible anyway. */
int pthread_setschedparam(__tpm_thread_id id, int policy, const void *parameter)
{
    (void)id;
    (void)policy;
    (void)parameter;
    return 0;
}

int pthread_setschedprio(__tpm_thread_id id, int priority)
{
    (void)id;
    (void)priority;
    return 0;
}

/* The C library's pthread_setaffinity_np: on which processors a thread may run. */
int pthread_setaffinity_np(__tpm_thread_id id, size_t size, const void *set)
{
    (void)id;
    (void)size;
    (void)set;
    return 0;
}

TP_END
