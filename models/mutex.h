/* The state of a mutex, for mutex.c and condition.c.
 *
 * It lies in pthread_mutex_t at the places where static initialisers of the C library put the same facts. */
#ifndef TPM_MUTEX_H
#define TPM_MUTEX_H

#include "internal.h"

enum { MUTEX_NORMAL = 0, MUTEX_RECURSIVE = 1, MUTEX_ERRORCHECK = 2, MUTEX_ADAPTIVE = 3, MUTEX_DESTROYED = -1 };

/* MUTEX_C11 is set in the kind of a mutex made by mtx_init, which is the only way to make a C11 mutex. */
enum { MUTEX_KIND = 15, MUTEX_C11 = 16 };

struct __tpm_mutex {
    int unused;
    unsigned again; /* how often the owner of a recursive mutex locked it, minus 1 */
    unsigned owner; /* the thread's number plus 1, or 0 */
#ifdef __LP64__
    unsigned unused_too;
#endif
    int kind;
};

/* Ordinary writes, which race with threads that already use the mutex. The other init functions do the same. */
void __tpm_mutex_make(struct __tpm_mutex *m, int kind);

/* Locks a mutex; `c11`: it must have been made by mtx_init. Returns an error number. */
int __tpm_mutex_lock(struct __tpm_mutex *m, _Bool c11);

/* The same, but `busy` instead of waiting. */
int __tpm_mutex_try(struct __tpm_mutex *m, int busy, _Bool c11);

/* The same with a deadline on a clock. */
int __tpm_mutex_try_until(struct __tpm_mutex *m, int clock, const void *moment, _Bool c11);

/* What pthread_mutex_unlock does, in an atomic section of the caller. */
int __tpm_mutex_release(struct __tpm_mutex *m);

int pthread_mutex_lock(struct __tpm_mutex *m);

#endif
