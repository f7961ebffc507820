/* Attribute objects: of threads, mutexes, condition variables, read-write locks and barriers.
 *
 * What an attribute says about time, priority, memory or other processes has no effect on which executions exist here;
 * such values are kept and given back. */
#include "internal.h"

enum { PROCESS_PRIVATE = 0, PROCESS_SHARED = 1 };

/* Lies in pthread_attr_t: 56 bytes, or 36 with 32-bit pointers. */
struct thread_attributes {
    int detached; /* first: thread.c reads it */
    int scope;
    int inherit;
    int policy;
    int priority;
    size_t guard_size;
    size_t stack_size;
    void *stack;
};

struct sched_param {
    int priority;
};

enum { STACK_MIN = 16384, STACK_DEFAULT = 8 << 20 };

/* POSIX pthread_attr_init: sets every attribute to its default. */
int pthread_attr_init(struct thread_attributes *a)
{
    a->detached = 0;
    a->scope = 0;
    a->inherit = 0;
    a->policy = 0;
    a->priority = 0;
    a->guard_size = 4096;
    a->stack_size = STACK_DEFAULT;
    a->stack = 0;
    return 0;
}

/* POSIX pthread_attr_destroy: the object may not be used until it is initialised again. */
int pthread_attr_destroy(struct thread_attributes *a)
{
    (void)a;
    return 0;
}

/* POSIX pthread_attr_setdetachstate: threads made with it are joinable (0) or detached (1). */
TP_DOES("detached-attributes")
int pthread_attr_setdetachstate(struct thread_attributes *a, int state)
{
    if (state != 0 && state != 1)
        return EINVAL;
    a->detached = state;
    return 0;
}

/* POSIX pthread_attr_getdetachstate: stores the detach state. */
int pthread_attr_getdetachstate(const struct thread_attributes *a, int *state)
{
    *state = a->detached;
    return 0;
}

/* POSIX pthread_attr_setstacksize: the least size of a thread's stack; too small a size is refused. */
int pthread_attr_setstacksize(struct thread_attributes *a, size_t size)
{
    if (size < STACK_MIN)
        return EINVAL;
    a->stack_size = size;
    return 0;
}

/* POSIX pthread_attr_getstacksize: stores the stack size. */
int pthread_attr_getstacksize(const struct thread_attributes *a, size_t *size)
{
    *size = a->stack_size;
    return 0;
}

/* POSIX pthread_attr_setstack: the memory that a thread's stack is to use; not used here, as locals are objects. */
int pthread_attr_setstack(struct thread_attributes *a, void *stack, size_t size)
{
    a->stack = stack;
    return pthread_attr_setstacksize(a, size);
}

/* POSIX pthread_attr_getstack: stores the place and size of the stack. */
int pthread_attr_getstack(const struct thread_attributes *a, void **stack, size_t *size)
{
    *stack = a->stack;
    *size = a->stack_size;
    return 0;
}

/* POSIX pthread_attr_setguardsize: the size of the guard area behind the stack. */
int pthread_attr_setguardsize(struct thread_attributes *a, size_t size)
{
    a->guard_size = size;
    return 0;
}

/* POSIX pthread_attr_getguardsize: stores the size of the guard area. */
int pthread_attr_getguardsize(const struct thread_attributes *a, size_t *size)
{
    *size = a->guard_size;
    return 0;
}

/* POSIX pthread_attr_setscope, getscope, setinheritsched, getinheritsched, setschedpolicy, getschedpolicy,
 * setschedparam, getschedparam: how threads compete for processors. */
#define THREAD_ATTRIBUTE(name, field)                                                                                  \
    int pthread_attr_set##name(struct thread_attributes *a, int value)                                                 \
    {                                                                                                                  \
        a->field = value;                                                                                              \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int pthread_attr_get##name(const struct thread_attributes *a, int *value)                                          \
    {                                                                                                                  \
        *value = a->field;                                                                                             \
        return 0;                                                                                                      \
    }
THREAD_ATTRIBUTE(scope, scope)
THREAD_ATTRIBUTE(inheritsched, inherit)
THREAD_ATTRIBUTE(schedpolicy, policy)

int pthread_attr_setschedparam(struct thread_attributes *a, const struct sched_param *parameter)
{
    a->priority = parameter->priority;
    return 0;
}

int pthread_attr_getschedparam(const struct thread_attributes *a, struct sched_param *parameter)
{
    parameter->priority = a->priority;
    return 0;
}

/* The other attribute objects are one int: in its low bits the type of a mutex, the clock of a condition variable or
 * the kind of a read-write lock, which is all that other models read; above them the sharing and the protocol. */
enum { KIND_MASK = 15, SHARED_BIT = 16, PROTOCOL_BIT = 32, PROTOCOL_MASK = 96 };

/* POSIX pthread_mutexattr_init, pthread_condattr_init, pthread_rwlockattr_init, pthread_barrierattr_init: set every
 * attribute to its default; destroy: the object may not be used any more; setpshared and getpshared: whether other
 * processes may use the object. */
#define ATTRIBUTES(object)                                                                                             \
    int pthread_##object##_init(int *a)                                                                                \
    {                                                                                                                  \
        *a = 0;                                                                                                        \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int pthread_##object##_destroy(int *a)                                                                             \
    {                                                                                                                  \
        (void)a;                                                                                                       \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int pthread_##object##_setpshared(int *a, int shared)                                                              \
    {                                                                                                                  \
        if (shared != PROCESS_PRIVATE && shared != PROCESS_SHARED)                                                     \
            return EINVAL;                                                                                             \
        *a = (*a & ~SHARED_BIT) | (shared ? SHARED_BIT : 0);                                                           \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int pthread_##object##_getpshared(const int *a, int *shared)                                                       \
    {                                                                                                                  \
        *shared = (*a & SHARED_BIT) ? PROCESS_SHARED : PROCESS_PRIVATE;                                                \
        return 0;                                                                                                      \
    }
ATTRIBUTES(mutexattr)
ATTRIBUTES(condattr)
ATTRIBUTES(rwlockattr)
ATTRIBUTES(barrierattr)

static int set_kind(int *a, int kind, int largest)
{
    if (kind < 0 || kind > largest)
        return EINVAL;
    *a = (*a & ~KIND_MASK) | kind;
    return 0;
}

static int get_kind(const int *a, int *kind)
{
    *kind = *a & KIND_MASK;
    return 0;
}

/* POSIX pthread_mutexattr_settype: normal (0), recursive (1), error-checking (2), or the C library's adaptive (3). */
int pthread_mutexattr_settype(int *a, int type)
{
    return set_kind(a, type, 3);
}

/* POSIX pthread_mutexattr_gettype: stores the type. */
int pthread_mutexattr_gettype(const int *a, int *type)
{
    return get_kind(a, type);
}

/* POSIX pthread_mutexattr_setprotocol: how the owner's priority changes: none (0), inherit (1), protect (2). */
int pthread_mutexattr_setprotocol(int *a, int protocol)
{
    if (protocol < 0 || protocol > 2)
        return EINVAL;
    *a = (*a & ~PROTOCOL_MASK) | protocol * PROTOCOL_BIT;
    return 0;
}

/* POSIX pthread_mutexattr_getprotocol: stores the protocol. */
int pthread_mutexattr_getprotocol(const int *a, int *protocol)
{
    *protocol = (*a & PROTOCOL_MASK) / PROTOCOL_BIT;
    return 0;
}

/* POSIX pthread_condattr_setclock: the clock of timed waits. */
int pthread_condattr_setclock(int *a, int clock)
{
    return set_kind(a, clock, 1);
}

/* POSIX pthread_condattr_getclock: stores that clock. */
int pthread_condattr_getclock(const int *a, int *clock)
{
    return get_kind(a, clock);
}

/* The C library's pthread_rwlockattr_setkind_np: whom to prefer. Only kind 2 has an effect; see rwlock.c. */
int pthread_rwlockattr_setkind_np(int *a, int kind)
{
    return set_kind(a, kind, 2);
}

/* The C library's pthread_rwlockattr_getkind_np: stores whom it prefers. */
int pthread_rwlockattr_getkind_np(const int *a, int *kind)
{
    return get_kind(a, kind);
}
