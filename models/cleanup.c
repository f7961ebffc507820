/* Cleanup handlers of POSIX.
 *
 * include/pthread.h turns pthread_cleanup_push and pop into the first two functions here. Preprocessed programs contain
 * the C library's own macros, which register a jump buffer for pthread_exit to jump to. These programs work as long as
 * no thread exits between push and pop; if one does, that is reported as a function without a model. */
#include "internal.h"

struct _pthread_cleanup_buffer {
    void (*routine)(void *);
    void *argument;
    int unused;
    struct _pthread_cleanup_buffer *previous;
};

static _Thread_local struct _pthread_cleanup_buffer *handlers;

/* POSIX pthread_cleanup_push: the routine is called when the thread exits before the matching pop. */
void _pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *), void *argument)
{
    buffer->routine = routine;
    buffer->argument = argument;
    buffer->previous = handlers;
    handlers = buffer;
}

/* POSIX pthread_cleanup_pop: takes the latest handler away, and calls it if asked to. */
void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int execute)
{
    handlers = buffer->previous;
    if (execute)
        buffer->routine(buffer->argument);
}

static _Thread_local unsigned jump_buffers;

TP_DOES("register-unwind")
void __pthread_register_cancel(void *buffer)
{
    (void)buffer;
    jump_buffers++;
}

void __pthread_unregister_cancel(void *buffer)
{
    (void)buffer;
    jump_buffers--;
}

void __pthread_unwind_next(void *buffer);

TP_DOES("unwind")
void __tpm_run_cleanup_handlers(void)
{
    if (jump_buffers > 0)
        __pthread_unwind_next(0);
    while (handlers) {
        struct _pthread_cleanup_buffer *latest = handlers;
        handlers = latest->previous;
        latest->routine(latest->argument);
    }
}
