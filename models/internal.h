/* What the models share among themselves: error numbers, and the few functions that one model offers to another.
 *
 * No system header is included: the models are compiled once for each data model, on machines that may have headers
 * for one of them only. Names that start with `__tpm_` are ours and cannot clash with a program's own functions. */
#ifndef TPM_INTERNAL_H
#define TPM_INTERNAL_H

#include "tp.h"
#include <stddef.h>

enum {
    EPERM = 1,
    ESRCH = 3,
    EINTR = 4,
    EAGAIN = 11,
    ENOMEM = 12,
    EBUSY = 16,
    EINVAL = 22,
    ERANGE = 34,
    EDEADLK = 35,
    EOVERFLOW = 75,
    ETIMEDOUT = 110
};

/* errno of this thread. */
int *__errno_location(void);
#define errno (*__errno_location())

/* A thread's number as it stands in a lock: 0 is nobody. */
static inline unsigned __tpm_me(void)
{
    return __tp_self() + 1;
}

/* Thread ids as programs see them; 0 is never one. */
typedef unsigned long __tpm_thread_id;

/* Starts a thread that runs the one of the two routines that is not null. */
void __tpm_create(__tpm_thread_id *id, int detached, void *(*routine)(void *), int (*c11_routine)(void *),
                  void *argument);
/* Stores the result in the forms that are asked for. */
int __tpm_join(__tpm_thread_id id, void **result, int *c11_result);
_Noreturn void __tpm_thread_end(void *result);
void __tpm_wait_for_other_threads(void);

/* Thread-specific data and cleanup handlers, at the end of a thread. */
void __tpm_run_key_destructors(void);
void __tpm_run_cleanup_handlers(void);

/* Handlers of atexit. */
_Bool __tpm_has_exit_handlers(void);

/* The heap as malloc gives it. */
void *__tpm_malloc(size_t size);

size_t __tpm_strlen(const char *s);

/* Functions whose name starts with `__tpm_output_` only write text to the world: they change nothing that a program can
 * see, and an analysis may leave them out. */
void __tpm_output_bytes(int fd, const void *bytes, size_t count);

#endif
