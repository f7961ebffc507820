/* Threads of POSIX: pthread_create, join, detach, exit, cancel, self, equal.
 *
 * A thread has a record on the heap; its address is the thread's id, which a pthread_t holds. A table of short lists
 * keeps the records of threads that run or can be joined, so that live ids are distinguished from old ones. */
#include "internal.h"
TP_ALL_DO("hides-addresses")
TP_ALL_DO("own-number")

struct __tpm_thread {
    unsigned number; /* the machine's */
    int finished;
    int detached;
    unsigned cancelled; /* pthread_cancel was called */
    unsigned forgotten; /* in `first`: how many detached threads have ended */
    void *(*routine)(void *);   /* one of these two is null */
    int (*c11_routine)(void *);
    void *argument;
    void *result;
    struct __tpm_thread *next;
};

enum { LISTS = 64 }; /* 2^6; see list_of */

static struct __tpm_thread first;
static struct __tpm_thread *threads[LISTS];
static _Thread_local struct __tpm_thread *current = &first;

static __tpm_thread_id id_of(const struct __tpm_thread *thread)
{
    return (__tpm_thread_id)thread;
}

/* The list for an id. Neighbours on the heap get different lists, and so do the first objects of the threads' arenas,
 * which are 2^24 or 2^32 bytes apart. The threads that the first thread starts are half a table away from these. So
 * unrelated threads access no common memory here. */
static struct __tpm_thread **list_of(__tpm_thread_id id)
{
    /* A reused id may only be found by comparing ids, not by where its object lies. */
    if (__tp_option_reuse_ids)
        return &threads[0];
    /* The sum of the address shifted right by 6, 24, 25, 32 and 38, modulo 64. It is one product because the analyses
     * would take a sum of addresses for an address. */
    unsigned long long sum = id * ((1ull << 52) + (1ull << 34) + (1ull << 33) + (1ull << 26) + (1ull << 20));
    return &threads[sum >> 58];
}

/* The link that points to the thread with this id, or the null link at the end of its list. In an atomic section. */
static struct __tpm_thread **find(__tpm_thread_id id)
{
    struct __tpm_thread **link = list_of(id);
    while (*link && id_of(*link) != id)
        link = &(*link)->next;
    return link;
}

static struct __tpm_thread *thread_with(__tpm_thread_id id)
{
    return id == id_of(&first) ? &first : *find(id);
}

/* The record that was freed last, kept where the program can observe the reuse of ids: the C library keeps the stacks
 * of ended threads, and with them their ids, for new threads. */
static struct __tpm_thread *freed;

/* In an atomic section. */
static void forget(struct __tpm_thread *thread)
{
    if (thread == &first) {
        first.detached = 1; /* it can no longer be joined */
        return;
    }
    *find(id_of(thread)) = thread->next;
    __tp_free(thread);
    if (__tp_option_reuse_ids)
        freed = thread;
}

/* A new record, perhaps with the id of an ended thread. */
static struct __tpm_thread *record_again(void)
{
    struct __tpm_thread *thread = 0;
    __tp_atomic_begin();
    if (freed && __tp_input_bool("a thread id is reused")) {
        thread = __tp_alloc_record_at(freed, sizeof *thread, sizeof(void *));
        freed = 0;
    }
    __tp_atomic_end();
    return thread ? thread : __tp_alloc_record(sizeof *thread, sizeof(void *));
}

/* Ends the calling thread: destroys its thread-specific data, then makes its result available to a join. */
_Noreturn void __tpm_thread_end(void *result)
{
    if (__tp_option_cancel)
        __tpm_ignore_cancel();
    __tpm_run_key_destructors();
    __tp_atomic_begin();
    struct __tpm_thread *thread = current;
    if (__tp_option_signals)
        __tpm_signals_end();
    if (thread->detached) {
        /* __tpm_wait_for_other_threads synchronises with this write. */
        if (__tpm_has_exit_handlers())
            first.forgotten++;
        forget(thread);
    } else {
        thread->result = result;
        thread->finished = 1;
    }
    __tp_thread_exit();
}

TP_DOES("names-thread 0 0 0")
static void run(void *argument)
{
    struct __tpm_thread *thread = argument;
    __tp_atomic_begin();
    current = thread;
    void *(*routine)(void *) = thread->routine;
    int (*c11_routine)(void *) = thread->c11_routine;
    void *of_user = thread->argument;
    if (__tp_option_signals)
        __tpm_signals_begin();
    __tp_atomic_end();
    __tpm_thread_end(routine ? routine(of_user) : (void *)(long)c11_routine(of_user));
}

/* The id is stored before the thread starts, so that the new thread may read the variable. The store is an ordinary
 * one: it races with other threads that use the same variable. */
void __tpm_create(__tpm_thread_id *id, int detached, void *(*routine)(void *), int (*c11_routine)(void *),
                  void *argument)
{
    struct __tpm_thread *thread;
    if (__tp_option_reuse_ids)
        thread = record_again();
    else
        thread = __tp_alloc_record(sizeof *thread, sizeof(void *));
    *id = id_of(thread);
    __tp_atomic_begin();
    thread->finished = 0;
    thread->detached = detached;
    if (__tp_option_cancel)
        thread->cancelled = 0;
    thread->routine = routine;
    thread->c11_routine = c11_routine;
    thread->argument = argument;
    struct __tpm_thread **list = list_of(id_of(thread));
    thread->next = *list;
    *list = thread;
    thread->number = __tp_thread_start(run, thread);
    if (__tp_option_signals)
        __tpm_signals_inherited(thread->number);
    __tp_atomic_end();
}

int __tpm_join(__tpm_thread_id id, void **result, int *c11_result)
{
    void *value = 0;
    _Bool ends = 0;
    __tp_atomic_begin();
    struct __tpm_thread *thread = thread_with(id);
    int error = !thread ? ESRCH : thread == current ? EDEADLK : thread->detached ? EINVAL : 0;
    __tp_assert(error != ESRCH, TP_LOCK, "join of a thread that was joined or detached before, or never existed");
    __tp_report(error != EDEADLK, TP_LOCK, "a thread joins itself");
    __tp_assert(error != EINVAL, TP_LOCK, "join of a detached thread");
    if (!error) {
        __tp_waiting(TP_WAIT_JOIN, thread, thread->number);
        _Bool finished = thread->finished;
        if (__tpm_await(finished || __tpm_is_cancelled()))
            ends = __tpm_ends_here(finished);
        else
            error = EINTR;
        if (!error && !ends) {
            value = thread->result;
            forget(thread);
        }
    }
    __tp_atomic_end();
    if (__tp_option_cancel && ends)
        __tpm_end_cancelled(); /* the other thread can still be joined */
    if (__tp_option_signals == TP_HANDLERS && error == EINTR) {
        __tpm_interrupted();
        return __tpm_join(id, result, c11_result);
    }
    if (__tp_option_signals == TP_HANDLERS && __tp_option_sends && !error)
        __tpm_handle_sent();
    if (!error && result)
        *result = value;
    if (!error && c11_result)
        *c11_result = (int)(long)value;
    return error;
}

unsigned __tpm_number_of(__tpm_thread_id id)
{
    __tp_atomic_begin();
    struct __tpm_thread *thread = thread_with(id);
    __tp_assert(thread != 0, TP_LOCK, "a signal for a thread that was joined before, or never existed");
    unsigned number = thread && !thread->finished ? thread->number : TP_NOBODY;
    __tp_atomic_end();
    return number;
}

/* Called when the first thread calls pthread_exit and exit handlers have to run at the end. */
void __tpm_wait_for_other_threads(void)
{
    __tp_atomic_begin();
    for (unsigned i = 0; i < LISTS; i++) {
        for (struct __tpm_thread *thread = threads[i]; thread; thread = thread->next) {
            if (thread != current) {
                __tp_waiting(TP_WAIT_JOIN, thread, thread->number);
                __tp_await(thread->finished);
            }
        }
    }
    __tpm_read_again(&first.forgotten);
    __tp_atomic_end();
}

/* pthread_attr_t, of which only the detach state matters here; see attributes.c. */
struct attributes {
    int detached;
};

/* POSIX pthread_create: starts a thread that runs routine(argument) and stores its id; the end of the routine is a call
 * of pthread_exit with its result. Creation always succeeds here. */
TP_DOES("create")
TP_DOES("can-fail")
int pthread_create(__tpm_thread_id *id, const struct attributes *attributes, void *(*routine)(void *), void *argument)
{
    __tpm_create(id, attributes ? attributes->detached : 0, routine, 0, argument);
    return 0;
}

/* POSIX pthread_join: waits until the thread has ended, stores its result, and forgets the thread. Joining it twice, or
 * a detached thread, is undefined: reported. */
TP_DOES("join")
int pthread_join(__tpm_thread_id id, void **result)
{
    return __tpm_join(id, result, 0);
}

/* POSIX pthread_detach: the thread is forgotten when it ends. Detaching what is not joinable is undefined: reported. */
TP_DOES("detach")
int pthread_detach(__tpm_thread_id id)
{
    __tp_atomic_begin();
    struct __tpm_thread *thread = thread_with(id);
    int error = !thread ? ESRCH : thread->detached ? EINVAL : 0;
    __tp_assert(error != ESRCH, TP_LOCK, "detach of a thread that was joined or detached before, or never existed");
    __tp_assert(error != EINVAL, TP_LOCK, "detach of a thread that is detached already");
    if (!error) {
        if (thread->finished)
            forget(thread);
        else
            thread->detached = 1;
    }
    __tp_atomic_end();
    return error;
}

/* POSIX pthread_exit: runs the cleanup handlers, latest first, then the destructors of thread-specific data, and ends
 * the thread. When the last thread ends so does the program, as by exit(0). */
_Noreturn void pthread_exit(void *result)
{
    _Noreturn void exit(int status);
    if (__tp_option_cancel)
        __tpm_ignore_cancel();
    __tpm_run_cleanup_handlers();
    if (current == &first && __tpm_has_exit_handlers()) {
        __tpm_run_key_destructors();
        __tp_end_locals();
        __tp_atomic_begin();
        first.result = result;
        first.finished = 1;
        __tp_atomic_end();
        __tpm_wait_for_other_threads();
        exit(0);
    }
    __tpm_thread_end(result);
}

unsigned *__tpm_cancel_request(void)
{
    return &current->cancelled;
}

/* POSIX pthread_cancel: asks a thread to end at its next cancellation point. The request orders nothing. For a thread that
 * was joined, or was detached and has ended, that is undefined: reported. */
TP_DOES("cancel")
int pthread_cancel(__tpm_thread_id id)
{
    __tp_atomic_begin();
    struct __tpm_thread *thread = thread_with(id);
    __tp_assert(thread != 0, TP_LOCK, "cancel of a thread that was joined before, has ended detached, or never existed");
    if (thread)
        __atomic_store_n(&thread->cancelled, 1, __ATOMIC_RELAXED);
    __tp_atomic_end();
    return thread ? 0 : ESRCH;
}

/* POSIX pthread_self: the id of the calling thread. */
TP_DOES("thread-id")
TP_DOES("signal-safe")
__tpm_thread_id pthread_self(void)
{
    return id_of(current);
}

/* POSIX pthread_equal: not 0 if the ids are of the same thread. */
TP_DOES("thread-id")
TP_DOES("signal-safe")
int pthread_equal(__tpm_thread_id a, __tpm_thread_id b)
{
    return a == b;
}

TP_END

TP_END
