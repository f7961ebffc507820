/* Names of threads, and what else a program tells the system about itself. */
#include "internal.h"
#include <stdarg.h>

__tpm_thread_id pthread_self(void);

enum { LONGEST = 15 };

/* The name of this thread; until it gets one, that of the program. */
static _Thread_local char name[LONGEST + 1];
static _Thread_local _Bool has_name;

/* A thread has named another one. Which name that has now depends on who was last, and is not kept. */
static unsigned named_by_others;

/* Reported when it is reached. */
void name_of_another_thread_without_model(void);

static void set(const char *from)
{
    has_name = 1;
    size_t i = 0;
    for (; i < LONGEST && from[i]; i++)
        name[i] = from[i];
    for (; i <= LONGEST; i++)
        name[i] = 0;
}

static void get(char *to)
{
    if (__tpm_quiet_look(&named_by_others))
        name_of_another_thread_without_model();
    if (!has_name) {
        const char *program = __tp_argv[0], *from = program;
        for (; *program; program++)
            if (*program == '/')
                from = program + 1;
        set(from);
    }
    for (size_t i = 0; i <= LONGEST; i++)
        to[i] = name[i];
}

/* The C library's pthread_setname_np: a name for debuggers; ERANGE if it has more than 15 characters. */
int pthread_setname_np(__tpm_thread_id id, const char *text)
{
    if (__tpm_strlen(text) > LONGEST)
        return ERANGE;
    if (id == pthread_self())
        set(text);
    else
        __tpm_quiet_set(&named_by_others, 1);
    return 0;
}

/* The C library's pthread_getname_np: ERANGE if there is no room for 16 characters. */
int pthread_getname_np(__tpm_thread_id id, char *to, size_t size)
{
    if (size <= LONGEST)
        return ERANGE;
    if (id != pthread_self())
        name_of_another_thread_without_model();
    get(to);
    return 0;
}

enum {
    PR_SET_PDEATHSIG = 1,
    PR_GET_DUMPABLE = 3,
    PR_SET_DUMPABLE = 4,
    PR_SET_NAME = 15,
    PR_GET_NAME = 16,
    PR_SET_TIMERSLACK = 29,
    PR_SET_NO_NEW_PRIVS = 38
};

/* Linux prctl: the name of the calling thread; a few others are accepted, without effect; EINVAL for the rest. */
int prctl(int option, ...)
{
    if (option == PR_SET_NAME || option == PR_GET_NAME) {
        va_list arguments;
        va_start(arguments, option);
        char *text = va_arg(arguments, char *);
        va_end(arguments);
        if (option == PR_SET_NAME)
            set(text);
        else
            get(text);
        return 0;
    }
    switch (option) {
    case PR_GET_DUMPABLE: return 1;
    case PR_SET_PDEATHSIG:
    case PR_SET_DUMPABLE:
    case PR_SET_TIMERSLACK:
    case PR_SET_NO_NEW_PRIVS: return 0;
    default: errno = EINVAL; return -1;
    }
}

/* POSIX pthread_atfork: functions that are called around a fork, which has no model. */
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    (void)prepare;
    (void)parent;
    (void)child;
    return 0;
}
