/* C++: what the compiler calls for objects with constructors and destructors: variables of files, of functions and of
 * threads, and virtual functions. */
#include "internal.h"

int atexit(void (*function)(void));

/* The address stands for the program in calls of __cxa_atexit. */
char __dso_handle;

struct destructor {
    void (*function)(void *);
    void *object;
    struct destructor *previous;
};

static struct destructor *to_destroy;

/* Each destructor is an exit handler, so that it runs in turn with those of atexit. */
static void destroy_last(void)
{
    __tp_atomic_begin();
    struct destructor *last = to_destroy;
    to_destroy = last->previous;
    __tp_atomic_end();
    void (*function)(void *) = last->function;
    void *object = last->object;
    __tp_free(last);
    function(object);
}

/* Itanium C++ ABI 3.3.6.3: the destructor is called at exit, that of the object constructed last first. */
int __cxa_atexit(void (*function)(void *), void *object, void *program)
{
    (void)program;
    struct destructor *d = __tp_alloc_record(sizeof *d, sizeof(void *));
    d->function = function;
    d->object = object;
    __tp_atomic_begin();
    d->previous = to_destroy;
    to_destroy = d;
    __tp_atomic_end();
    return atexit(destroy_last);
}

/* The guard of a variable of a function: 8 bytes, of which the compiler reads the first. */
struct guard {
    unsigned char is_initialised;
    unsigned owner; /* the thread that initialises the variable: its number plus 1, or 0 */
};

/* Itanium C++ ABI 3.3.3: whether the calling thread has to initialise the variable. C++20 8.8: if threads enter the
 * declaration concurrently, they wait for the one that initialises. */
int __cxa_guard_acquire(struct guard *g)
{
    __tp_atomic_begin();
    _Bool is_first = !g->is_initialised;
    unsigned owner = g->owner;
    __tp_waiting(TP_WAIT_ONCE, g, owner - 1);
    __tp_await(!is_first || owner == 0);
    if (is_first)
        g->owner = __tpm_me();
    __tp_atomic_end();
    return is_first;
}

/* Itanium C++ ABI 3.3.3: the variable is initialised. */
void __cxa_guard_release(struct guard *g)
{
    __tp_atomic_begin();
    g->owner = 0;
    g->is_initialised = 1;
    __tp_atomic_end();
}

/* Itanium C++ ABI 3.2.6: a virtual function without definition, called while the object is constructed or destroyed. */
void __cxa_pure_virtual(void)
{
    __tp_assert(0, TP_ASSERT, "no pure virtual function is called");
    __tp_exit(ABORTED);
}

/* C++20 14.6.2: the program ends abnormally. Here this is an error: a thread is destroyed that was neither joined nor
 * detached, or an exception cannot be handled. */
_Noreturn void _ZSt9terminatev(void)
{
    __tp_assert(0, TP_ASSERT, "std::terminate is not called");
    __tp_exit(ABORTED);
}

/* The library calls this where its own preconditions do not hold. */
_Noreturn void _ZNSt3__122__libcpp_verbose_abortEPKcz(const char *format, ...)
{
    (void)format;
    __tp_assert(0, TP_ASSERT, "the preconditions of the C++ library hold");
    __tp_exit(ABORTED);
}
