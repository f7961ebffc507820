/* Threads of C11 (7.26), over those of POSIX: the C library's types are the same. */
#include "mutex.h"

TP_ALL_DO("signal-safe")

enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_recursive = 1 };

struct condition;
int pthread_detach(__tpm_thread_id id);
_Noreturn void pthread_exit(void *result);
__tpm_thread_id pthread_self(void);
int pthread_mutex_destroy(struct __tpm_mutex *m);
int pthread_mutex_unlock(struct __tpm_mutex *m);
int pthread_cond_init(struct condition *c, const int *attributes);
int pthread_cond_destroy(struct condition *c);
int pthread_cond_wait(struct condition *c, struct __tpm_mutex *m);
int pthread_cond_timedwait(struct condition *c, struct __tpm_mutex *m, const void *deadline);
int nanosleep(const void *duration, void *remaining);
int pthread_cond_signal(struct condition *c);
int pthread_cond_broadcast(struct condition *c);
int pthread_key_create(unsigned *key, void (*destructor)(void *));
int pthread_key_delete(unsigned key);
void *pthread_getspecific(unsigned key);
int pthread_setspecific(unsigned key, const void *value);

static int result_of(int error)
{
    return error == 0           ? thrd_success
           : error == EBUSY     ? thrd_busy
           : error == ETIMEDOUT ? thrd_timedout
           : error == ENOMEM    ? thrd_nomem
                                : thrd_error;
}

/* C11 7.26.5.1: starts a thread that runs routine(argument) and stores its id. */
TP_DOES("create")
TP_DOES("can-fail")
int thrd_create(__tpm_thread_id *id, int (*routine)(void *), void *argument)
{
    __tpm_create(id, 0, 0, routine, argument);
    return thrd_success;
}

/* C11 7.26.5.2: the id of the calling thread. */
TP_DOES("thread-id")
__tpm_thread_id thrd_current(void)
{
    return pthread_self();
}

/* C11 7.26.5.3: the thread is forgotten when it ends. */
int thrd_detach(__tpm_thread_id id)
{
    return result_of(pthread_detach(id));
}

/* C11 7.26.5.4: not 0 if the ids are of the same thread. */
TP_DOES("thread-id")
int thrd_equal(__tpm_thread_id a, __tpm_thread_id b)
{
    return a == b;
}

/* C11 7.26.5.5: runs the destructors of thread-specific data and ends the thread with this result. */
_Noreturn void thrd_exit(int result)
{
    pthread_exit((void *)(long)result);
}

/* C11 7.26.5.6: waits until the thread has ended, stores its result, and forgets the thread. */
TP_DOES("join")
int thrd_join(__tpm_thread_id id, int *result)
{
    return result_of(__tpm_join(id, 0, result));
}

/* C11 7.26.5.7: suspends the thread for a time; 0 when that time has passed. */
int thrd_sleep(const void *duration, void *remaining)
{
    return nanosleep(duration, remaining) == 0 ? 0 : -2;
}

/* C11 7.26.5.8: lets other threads run. */
void thrd_yield(void)
{
    __tp_yield();
}

/* C11 7.26.4.2: makes an unlocked mutex, a recursive one if asked to. */
int mtx_init(struct __tpm_mutex *m, int type)
{
    int kind = (type & mtx_recursive) ? MUTEX_RECURSIVE : MUTEX_NORMAL;
    __tpm_mutex_make(m, kind | MUTEX_C11);
    return thrd_success;
}

/* C11 7.26.4.1: the mutex may not be used any more. */
TP_DOES("destroy 0")
void mtx_destroy(struct __tpm_mutex *m)
{
    pthread_mutex_destroy(m);
}

/* C11 7.26.4.3: waits until the mutex is free and takes it. */
TP_DOES("lock 0 exclusive mutex")
int mtx_lock(struct __tpm_mutex *m)
{
    return result_of(__tpm_mutex_lock(m, 1));
}

/* C11 7.26.4.4: as lock, but gives up when the time is up. */
TP_DOES("try 0 exclusive mutex")
int mtx_timedlock(struct __tpm_mutex *m, const void *deadline)
{
    return result_of(__tpm_mutex_try_until(m, REALTIME, deadline, 1));
}

/* C11 7.26.4.5: as lock, but thrd_busy instead of waiting. */
TP_DOES("try 0 exclusive mutex")
int mtx_trylock(struct __tpm_mutex *m)
{
    return result_of(__tpm_mutex_try(m, EBUSY, 1));
}

/* C11 7.26.4.6: frees the mutex, which the calling thread must hold. */
int mtx_unlock(struct __tpm_mutex *m)
{
    return result_of(pthread_mutex_unlock(m));
}

/* C11 7.26.3.3: makes a condition variable that nobody waits on. */
int cnd_init(struct condition *c)
{
    return result_of(pthread_cond_init(c, 0));
}

/* C11 7.26.3.2: the condition variable may not be used any more; nobody may wait on it. */
TP_DOES("destroy 0")
void cnd_destroy(struct condition *c)
{
    pthread_cond_destroy(c);
}

/* C11 7.26.3.4: wakes one of the threads that wait. */
TP_DOES("wake 0")
int cnd_signal(struct condition *c)
{
    return result_of(pthread_cond_signal(c));
}

/* C11 7.26.3.1: wakes all threads that wait. */
TP_DOES("wake 0")
int cnd_broadcast(struct condition *c)
{
    return result_of(pthread_cond_broadcast(c));
}

/* C11 7.26.3.6: frees the mutex and waits for a signal in one step, then locks the mutex again. */
TP_DOES("wait 1")
int cnd_wait(struct condition *c, struct __tpm_mutex *m)
{
    return result_of(pthread_cond_wait(c, m));
}

/* C11 7.26.3.5: as wait, but gives up when the time is up. */
TP_DOES("wait 1")
int cnd_timedwait(struct condition *c, struct __tpm_mutex *m, const void *deadline)
{
    return result_of(pthread_cond_timedwait(c, m, deadline));
}

/* C11 7.26.6.1: makes a key whose value is null in every thread. */
int tss_create(unsigned *key, void (*destructor)(void *))
{
    return result_of(pthread_key_create(key, destructor));
}

/* C11 7.26.6.2: the key may not be used any more. */
void tss_delete(unsigned key)
{
    pthread_key_delete(key);
}

/* C11 7.26.6.3: the calling thread's value of the key. */
void *tss_get(unsigned key)
{
    return pthread_getspecific(key);
}

/* C11 7.26.6.4: sets the calling thread's value of the key. */
int tss_set(unsigned key, void *value)
{
    return result_of(pthread_setspecific(key, value));
}

TP_END
