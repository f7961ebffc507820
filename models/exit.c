/* How a program ends: exit and its kin, abort, assert. */
#include "internal.h"

struct handler {
    void (*function)(void);
    struct handler *previous;
};

static struct handler *at_exit;
static struct handler *at_quick;

static int add(struct handler **list, void (*function)(void))
{
    struct handler *h = __tp_alloc_record(sizeof *h, sizeof(void *));
    h->function = function;
    __tp_atomic_begin();
    h->previous = *list;
    *list = h;
    __tp_atomic_end();
    return 0;
}

static void run(struct handler **list)
{
    for (;;) {
        __tp_atomic_begin();
        struct handler *h = *list;
        if (h)
            *list = h->previous;
        __tp_atomic_end();
        if (!h)
            return;
        void (*function)(void) = h->function;
        __tp_free(h);
        function();
    }
}

_Bool __tpm_has_exit_handlers(void)
{
    __tp_atomic_begin();
    _Bool any = at_exit != 0;
    __tp_atomic_end();
    return any;
}

/* C11 7.22.4.2: the function is called at exit, the one registered last first. */
int atexit(void (*function)(void))
{
    return add(&at_exit, function);
}

/* C11 7.22.4.3: the same for quick_exit. */
int at_quick_exit(void (*function)(void))
{
    return add(&at_quick, function);
}

/* C11 7.22.4.4: calls the functions registered with atexit and ends the program. */
_Noreturn void exit(int status)
{
    run(&at_exit);
    __tp_exit(status & 255);
}

/* C11 7.22.4.7: calls the functions registered with at_quick_exit and ends the program. */
TP_DOES("signal-safe")
_Noreturn void quick_exit(int status)
{
    run(&at_quick);
    __tp_exit(status & 255);
}

/* C11 7.22.4.5: ends the program at once. */
TP_DOES("signal-safe")
_Noreturn void _Exit(int status)
{
    __tp_exit(status & 255);
}

/* POSIX _exit: the same. */
TP_DOES("signal-safe")
_Noreturn void _exit(int status)
{
    __tp_exit(status & 255);
}

/* C11 7.22.4.1: ends the program abnormally; that is no violation by itself. */
TP_DOES("signal-safe")
_Noreturn void abort(void)
{
    __tp_exit(ABORTED);
}

/* C11 7.2.1.1: what assert does when its expression is false. */
TP_DOES("signal-safe")
_Noreturn void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    (void)file;
    (void)line;
    (void)function;
    __tp_assert(0, TP_ASSERT, expression);
    __tp_exit(ABORTED);
}

/* The same in other C libraries. */
TP_DOES("signal-safe")
_Noreturn void __assert(const char *expression, const char *file, int line)
{
    __assert_fail(expression, file, (unsigned)line, 0);
}

TP_DOES("signal-safe")
_Noreturn void __assert_rtn(const char *function, const char *file, int line, const char *expression)
{
    __assert_fail(expression, file, (unsigned)line, function);
}

/* The C library's assert_perror: it is an error if the error number is not 0. */
TP_DOES("signal-safe")
_Noreturn void __assert_perror_fail(int number, const char *file, unsigned line, const char *function)
{
    char *strerror(int number);
    __assert_fail(strerror(number), file, line, function);
}
