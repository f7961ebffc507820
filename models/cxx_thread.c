/* C++: std::thread of libc++, which holds the id of a thread of POSIX, or 0. */
#include "internal.h"

int pthread_join(__tpm_thread_id id, void **result);
int pthread_detach(__tpm_thread_id id);
int sched_yield(void);
int nanosleep(const void *duration, void *remaining);

struct timespec {
    long seconds, nanoseconds;
};

/* std::thread::join (C++20 32.4.3.6): waits until the thread has ended. One that is not joinable is an exception
 * (std::errc::invalid_argument), which hardly any program handles: reported. */
TP_DOES("forward")
void _ZNSt3__16thread4joinEv(__tpm_thread_id *t)
{
    __tp_assert(*t != 0, TP_LOCK, "join of a thread that was joined or detached before, or never started");
    if (*t != 0)
        pthread_join(*t, 0);
    *t = 0;
}

/* std::thread::detach: the thread runs on by itself. */
TP_DOES("forward")
void _ZNSt3__16thread6detachEv(__tpm_thread_id *t)
{
    __tp_assert(*t != 0, TP_LOCK, "detach of a thread that was joined or detached before, or never started");
    if (*t != 0)
        pthread_detach(*t);
    *t = 0;
}

/* std::thread::~thread (C++20 32.4.3.4): std::terminate, unless the thread was joined or detached. */
void _ZNSt3__16threadD1Ev(__tpm_thread_id *t)
{
    __tp_assert(*t == 0, TP_LOCK, "a std::thread is destroyed that was neither joined nor detached");
    if (*t != 0)
        __tp_exit(ABORTED);
}

/* std::thread::hardware_concurrency: a hint, or 0. */
unsigned _ZNSt3__16thread20hardware_concurrencyEv(void)
{
    return __tp_input_u8("std::thread::hardware_concurrency");
}

/* What a thread keeps for std::notify_all_at_thread_exit and std::promise::set_value_at_thread_exit, which have no model:
 * nothing. */
void _ZNSt3__115__thread_structC1Ev(void **s)
{
    *s = 0;
}

void _ZNSt3__115__thread_structD1Ev(void **s)
{
    (void)s;
}

void *_ZNSt3__119__thread_local_dataEv(void)
{
    return 0;
}

/* The new thread takes what its creator has made for it: it is not needed. */
void _ZNSt3__121__thread_specific_ptrINS_15__thread_structEE11set_pointerEPS1_(void *data, void *kept)
{
    (void)data;
    __tpm_delete(kept);
}

/* std::this_thread::sleep_for (C++20 32.4.4): the duration is in nanoseconds. */
void _ZNSt3__111this_thread9sleep_forERKNS_6chrono8durationIxNS_5ratioILl1ELl1000000000EEEEE(const long long *duration)
{
    if (*duration <= 0)
        return;
    struct timespec time = { (long)(*duration / 1000000000), (long)(*duration % 1000000000) };
    nanosleep(&time, 0);
}
