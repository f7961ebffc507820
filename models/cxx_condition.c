/* C++: std::condition_variable of libc++, which holds one of POSIX. */
#include "mutex.h"

struct condition;
struct timespec {
    long seconds, nanoseconds;
};
int pthread_cond_destroy(struct condition *c);
int pthread_cond_wait(struct condition *c, struct __tpm_mutex *m);
int pthread_cond_timedwait(struct condition *c, struct __tpm_mutex *m, const struct timespec *deadline);
int pthread_cond_signal(struct condition *c);
int pthread_cond_broadcast(struct condition *c);

/* std::unique_lock<std::mutex> */
struct unique_lock {
    struct __tpm_mutex *mutex;
    _Bool owns;
};

/* std::condition_variable::wait (C++20 32.6.4): frees the mutex and waits in one step, then takes the mutex again. */
TP_DOES("forward")
void _ZNSt3__118condition_variable4waitERNS_11unique_lockINS_5mutexEEE(struct condition *c, struct unique_lock *lock)
{
    __tp_assert(lock->owns, TP_LOCK, "wait on a condition variable with a lock that does not hold its mutex");
    pthread_cond_wait(c, lock->mutex);
}

/* What wait_for and wait_until call in the headers: the deadline is in nanoseconds of the system's clock. */
TP_DOES("forward")
void _ZNSt3__118condition_variable15__do_timed_waitERNS_11unique_lockINS_5mutexEEENS_6chrono10time_pointINS5_12system_clockENS5_8durationIxNS_5ratioILl1ELl1000000000EEEEEEE(
    struct condition *c, struct unique_lock *lock, long long deadline)
{
    __tp_assert(lock->owns, TP_LOCK, "wait on a condition variable with a lock that does not hold its mutex");
    struct timespec moment = { (long)(deadline / 1000000000), (long)(deadline % 1000000000) };
    pthread_cond_timedwait(c, lock->mutex, &moment);
}

/* std::condition_variable::notify_one: wakes a thread that waits. */
TP_DOES("wake 0")
void _ZNSt3__118condition_variable10notify_oneEv(struct condition *c)
{
    pthread_cond_signal(c);
}

/* std::condition_variable::notify_all: wakes all threads that wait. */
TP_DOES("wake 0")
void _ZNSt3__118condition_variable10notify_allEv(struct condition *c)
{
    pthread_cond_broadcast(c);
}

/* std::condition_variable::~condition_variable */
TP_DOES("destroy 0")
void _ZNSt3__118condition_variableD1Ev(struct condition *c)
{
    pthread_cond_destroy(c);
}
