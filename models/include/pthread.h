/* The system's <pthread.h>, with cleanup handlers in the form that Threadproof's models run.
 *
 * The C library's macros set a jump target with setjmp; these keep a list, to the same effect. */
#include_next <pthread.h>

#if defined __THREADPROOF__ && !defined THREADPROOF_PTHREAD_H
#define THREADPROOF_PTHREAD_H

#undef pthread_cleanup_push
#undef pthread_cleanup_pop

struct _pthread_cleanup_buffer;
#ifdef __cplusplus
extern "C" {
#endif
extern void _pthread_cleanup_push(struct _pthread_cleanup_buffer *, void (*)(void *), void *);
extern void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *, int);
#ifdef __cplusplus
}
#endif

#define pthread_cleanup_push(routine, argument)                                                                        \
    do {                                                                                                               \
        struct _pthread_cleanup_buffer tp_cleanup_;                                                                    \
        _pthread_cleanup_push(&tp_cleanup_, (routine), (argument));
#define pthread_cleanup_pop(execute)                                                                                   \
        _pthread_cleanup_pop(&tp_cleanup_, (execute));                                                                 \
    } while (0)

#endif
