/* The state of a mutex, for mutex.c and condition.c.
 *
 * It lies in pthread_mutex_t at the places where static initialisers of the C library put the same facts. */
#ifndef TPM_MUTEX_H
#define TPM_MUTEX_H

#include "internal.h"

enum { MUTEX_NORMAL = 0, MUTEX_RECURSIVE = 1, MUTEX_ERRORCHECK = 2, MUTEX_ADAPTIVE = 3, MUTEX_DESTROYED = -1 };

/* The kind of one that mtx_init has made, which is the only way to make a mutex of C11, has this bit too. */
enum { MUTEX_KIND = 15, MUTEX_C11 = 16 };

struct __tpm_mutex {
    int unused;
    unsigned again; /* how many times more than once the owner of a recursive mutex holds it */
    unsigned owner; /* the thread's number plus 1, or 0 */
#ifdef __LP64__
    unsigned unused_too;
#endif
    int kind;
};

/* Ordinary writes, which race with whoever uses the mutex already. So it is with everything that is initialised. */
void __tpm_mutex_make(struct __tpm_mutex *m, int kind);

/* Locks a mutex that must have been made by mtx_init, if asked for such a one. An error number. */
int __tpm_mutex_lock(struct __tpm_mutex *m, _Bool c11);

/* The same, but `busy` instead of waiting. */
int __tpm_mutex_try(struct __tpm_mutex *m, int busy, _Bool c11);

/* The same until a moment of a clock. */
int __tpm_mutex_try_until(struct __tpm_mutex *m, int clock, const void *moment, _Bool c11);

/* What pthread_mutex_unlock does, in an atomic section of the caller. */
int __tpm_mutex_release(struct __tpm_mutex *m);

int pthread_mutex_lock(struct __tpm_mutex *m);

#endif
