/* C++: std::mutex, std::recursive_mutex, std::shared_mutex and std::call_once, as libc++ lays them out, over those of
 * POSIX. std::lock_guard, std::unique_lock and their kin are in its headers. */
#include "mutex.h"

struct rwlock;
int pthread_mutex_destroy(struct __tpm_mutex *m);
int pthread_mutex_trylock(struct __tpm_mutex *m);
int pthread_mutex_unlock(struct __tpm_mutex *m);
int pthread_rwlock_init(struct rwlock *l, const int *attributes);
int pthread_rwlock_rdlock(struct rwlock *l);
int pthread_rwlock_tryrdlock(struct rwlock *l);
int pthread_rwlock_wrlock(struct rwlock *l);
int pthread_rwlock_trywrlock(struct rwlock *l);
int pthread_rwlock_unlock(struct rwlock *l);

/* std::mutex::lock (C++20 32.5.4.2): waits until the mutex is free and takes it. */
TP_DOES("lock 0 exclusive mutex")
void _ZNSt3__15mutex4lockEv(struct __tpm_mutex *m)
{
    pthread_mutex_lock(m);
}

/* std::mutex::try_lock: takes the mutex if it is free; whether it did. */
TP_DOES("forward")
_Bool _ZNSt3__15mutex8try_lockEv(struct __tpm_mutex *m)
{
    return pthread_mutex_trylock(m) == 0;
}

/* std::mutex::unlock: frees the mutex, which the calling thread must hold. */
TP_DOES("unlock 0 mutex")
void _ZNSt3__15mutex6unlockEv(struct __tpm_mutex *m)
{
    pthread_mutex_unlock(m);
}

/* std::lock (C++20 32.5.5) takes all mutexes without deadlock, in any order. In one step here: other threads never see that it
 * holds some and not others. */
TP_DOES("forward")
void __tpm_cxx_lock_two(struct __tpm_mutex *a, struct __tpm_mutex *b)
{
    __tp_atomic_begin();
    pthread_mutex_lock(a);
    pthread_mutex_lock(b);
    __tp_atomic_end();
}

TP_DOES("forward")
void __tpm_cxx_lock_three(struct __tpm_mutex *a, struct __tpm_mutex *b, struct __tpm_mutex *c)
{
    __tp_atomic_begin();
    pthread_mutex_lock(a);
    pthread_mutex_lock(b);
    pthread_mutex_lock(c);
    __tp_atomic_end();
}

/* std::mutex::~mutex */
TP_DOES("reset 0 mutex")
TP_DOES("destroy 0")
void _ZNSt3__15mutexD1Ev(struct __tpm_mutex *m)
{
    pthread_mutex_destroy(m);
}

/* std::recursive_mutex::recursive_mutex (C++20 32.5.4.2.3) */
TP_DOES("reset 0 mutex")
void _ZNSt3__115recursive_mutexC1Ev(struct __tpm_mutex *m)
{
    __tpm_mutex_make(m, MUTEX_RECURSIVE);
}

/* std::recursive_mutex::~recursive_mutex */
TP_DOES("reset 0 mutex")
TP_DOES("destroy 0")
void _ZNSt3__115recursive_mutexD1Ev(struct __tpm_mutex *m)
{
    pthread_mutex_destroy(m);
}

/* std::recursive_mutex::lock: the owner may lock it again. */
TP_DOES("lock 0 exclusive mutex")
void _ZNSt3__115recursive_mutex4lockEv(struct __tpm_mutex *m)
{
    pthread_mutex_lock(m);
}

/* std::recursive_mutex::try_lock */
TP_DOES("forward")
_Bool _ZNSt3__115recursive_mutex8try_lockEv(struct __tpm_mutex *m)
{
    return pthread_mutex_trylock(m) == 0;
}

/* std::recursive_mutex::unlock: the calling thread must hold it; for another one that is undefined: reported. */
TP_DOES("unlock 0 mutex")
void _ZNSt3__115recursive_mutex6unlockEv(struct __tpm_mutex *m)
{
    int error = pthread_mutex_unlock(m);
    __tp_assert(error == 0, TP_LOCK, "unlock of a recursive mutex that the thread does not hold");
}

/* std::shared_mutex (C++20 32.5.4.4): threads hold it together, or one alone. libc++ keeps a mutex, two condition variables
 * and a number in it, which is more than enough for a lock of POSIX. */
TP_DOES("reset 0 rwlock")
void _ZNSt3__119__shared_mutex_baseC1Ev(struct rwlock *l)
{
    pthread_rwlock_init(l, 0);
}

/* std::shared_mutex::lock */
TP_DOES("lock 0 exclusive rwlock")
void _ZNSt3__119__shared_mutex_base4lockEv(struct rwlock *l)
{
    pthread_rwlock_wrlock(l);
}

/* std::shared_mutex::try_lock */
TP_DOES("forward")
_Bool _ZNSt3__119__shared_mutex_base8try_lockEv(struct rwlock *l)
{
    return pthread_rwlock_trywrlock(l) == 0;
}

/* std::shared_mutex::unlock */
TP_DOES("unlock 0 rwlock")
void _ZNSt3__119__shared_mutex_base6unlockEv(struct rwlock *l)
{
    pthread_rwlock_unlock(l);
}

/* std::shared_mutex::lock_shared */
TP_DOES("lock 0 shared rwlock")
void _ZNSt3__119__shared_mutex_base11lock_sharedEv(struct rwlock *l)
{
    pthread_rwlock_rdlock(l);
}

/* std::shared_mutex::try_lock_shared */
TP_DOES("forward")
_Bool _ZNSt3__119__shared_mutex_base15try_lock_sharedEv(struct rwlock *l)
{
    return pthread_rwlock_tryrdlock(l) == 0;
}

/* std::shared_mutex::unlock_shared */
TP_DOES("unlock 0 rwlock")
void _ZNSt3__119__shared_mutex_base13unlock_sharedEv(struct rwlock *l)
{
    pthread_rwlock_unlock(l);
}

/* What std::once_flag holds; while the function runs: the number of the thread that runs it plus RUNNING. */
enum { NEW = 0, RUNNING = 1 };
#define DONE (~0ul)

/* std::call_once (C++20 32.5.6.2): the first call runs the function; every call returns after the function has. */
void _ZNSt3__111__call_onceERVmPvPFvS2_E(unsigned long *flag, void *argument, void (*function)(void *))
{
    __tp_atomic_begin();
    unsigned long state = *flag;
    if (state == NEW) {
        *flag = RUNNING + __tp_self();
    } else {
        __tp_waiting(TP_WAIT_ONCE, flag, state == DONE ? TP_NOBODY : (unsigned)(state - RUNNING));
        __tp_await(state == DONE);
    }
    __tp_atomic_end();
    if (state != NEW)
        return;
    function(argument);
    __tp_atomic_begin();
    *flag = DONE;
    __tp_atomic_end();
}
