/* The primitives that the models are written in.
 *
 * A call to one of these becomes one instruction of the program. Everything that blocks is an atomic step with an
 * `__tp_await` in it: the step is taken as a whole when the condition holds, and not at all otherwise.
 *
 * Ordinary accesses inside an atomic step synchronise: a step that reads a location sees everything that happened before
 * the atomic step that wrote it. Atomic accesses do what their memory order says. A variable of a model whose address
 * does not escape synchronises nothing. */
#ifndef TP_H
#define TP_H

typedef __SIZE_TYPE__ __tp_size_t;

/* Before the definition of a model: an effect that its code does not show, as in TP_DOES("wake 0"). See README.md. */
#define TP_DOES(text) __attribute__((annotate("tp:" text)))
/* The same for all functions from here to TP_END. */
#define TP_ALL_DO(text) __TP_PRAGMA(clang attribute push(TP_DOES(text), apply_to = function))
#define TP_END __TP_PRAGMA(clang attribute pop)
#define __TP_PRAGMA(...) _Pragma(#__VA_ARGS__)

/* Threads. Numbers count up from 0 (the first thread) and are never used twice. */
unsigned __tp_thread_start(void (*function)(void *), void *argument);
unsigned __tp_self(void);
void __tp_end_locals(void); /* ends the locals of all functions of this thread */
_Noreturn void __tp_thread_exit(void); /* ends this thread at once */
_Noreturn void __tp_exit(int status);  /* ends the program */

/* Steps. Atomic sections nest. */
void __tp_atomic_begin(void);
void __tp_atomic_end(void);
void __tp_await(_Bool condition);  /* only inside an atomic section */
void __tp_assume(_Bool condition); /* executions where it is false do not count; in an atomic section it waits */
void __tp_yield(void);             /* let others run */
/* Only inside an atomic section: the step sleeps until `done` holds or a time is reached, which is a span, or a time since
 * the program began. For the meaning of a program it does nothing, as any time may pass between two steps. Random
 * schedules mostly wait, and let the clock jump to that time when all other threads wait or sleep. */
void __tp_rest(_Bool done, long long seconds, long long nanoseconds);
void __tp_rest_until(_Bool done, long long seconds, long long nanoseconds);

/* Inputs: any value of the type. The name is what reports and `--input name=value` use. */
unsigned char __tp_input_u8(const char *name);
signed char __tp_input_i8(const char *name);
unsigned short __tp_input_u16(const char *name);
short __tp_input_i16(const char *name);
unsigned __tp_input_u32(const char *name);
int __tp_input_i32(const char *name);
unsigned long long __tp_input_u64(const char *name);
long long __tp_input_i64(const char *name);
/* Random runs mostly choose 0. */
unsigned short __tp_input_mostly_zero_u16(const char *name);
unsigned __tp_input_mostly_zero_u32(const char *name);
_Bool __tp_input_bool(const char *name);
float __tp_input_float(const char *name);
double __tp_input_double(const char *name);
void *__tp_input_pointer(const char *name);
_Bool __tp_input_rarely(const char *name); /* any value, too; in random runs it is seldom true */

/* Errors: it is a violation of the property if the condition does not hold. The second argument is a constant. */
enum __tp_property { TP_ASSERT = 0, TP_REACH_ERROR = 1, TP_LOCK = 4, TP_INVALID_DEREF = 5, TP_INVALID_FREE = 9, TP_SIGNAL = 18 };
void __tp_assert(_Bool condition, enum __tp_property property, const char *message);
/* The same where the behaviour is defined all the same: if the property is not checked, the program goes on. */
void __tp_report(_Bool condition, enum __tp_property property, const char *message);
/* What comes here is not supported; the text, a constant, says what. */
void __tp_unsupported(const char *what);

/* Heap. Contents are uninitialised; a free of anything but the start of a live heap object is a violation. */
void *__tp_alloc(__tp_size_t size, __tp_size_t align);
/* Memory that a model keeps for itself: losing it is not a leak. */
void *__tp_alloc_record(__tp_size_t size, __tp_size_t align);
/* A new object at the address of a freed heap object: only their lifetimes distinguish the two. */
void *__tp_alloc_at(const void *old, __tp_size_t size, __tp_size_t align);
void *__tp_alloc_record_at(const void *old, __tp_size_t size, __tp_size_t align);
void __tp_free(void *pointer);
__tp_size_t __tp_heap_size(const void *pointer);

/* Output and numbers. fd is 1 or 2. */
void __tp_write(int fd, const void *bytes, __tp_size_t count);
/* Formats `value` as printf's %f %e %g %a (conversion 'f' 'e' 'g' 'a', or upper case) with `precision` (-1: default) and
 * flags (1: '#'), without width, sign flags or padding; writes at most `size` bytes without a terminator, returns the
 * length (a negative number starts with '-'). */
int __tp_format_double(char *buffer, int size, int conversion, int precision, int flags, double value);
/* Reads a number as strtod does, blanks at the start included; *consumed is the number of bytes read (0: none). */
double __tp_parse_double(const char *text, int *consumed);

/* For reports and deadlocks only. A thread that waits for a lock waits for every thread that holds it shared. */
enum __tp_lock_mode { TP_EXCLUSIVE = 0, TP_SHARED = 1 };
void __tp_acquired(void *lock, enum __tp_lock_mode mode);
void __tp_released(void *lock);
/* Before `__tp_await` in a step: what the thread waits for, and the number of the thread that holds it. */
enum __tp_wait {
    TP_WAIT_MUTEX = 0,
    TP_WAIT_READ_LOCK = 1,
    TP_WAIT_WRITE_LOCK = 2,
    TP_WAIT_SPIN_LOCK = 3,
    TP_WAIT_CONDITION = 4,
    TP_WAIT_JOIN = 5,
    TP_WAIT_BARRIER = 6,
    TP_WAIT_SEMAPHORE = 7,
    TP_WAIT_ONCE = 8,
    TP_WAIT_STREAM = 9,
    TP_WAIT_PIPE = 10,
    TP_WAIT_SIGNAL = 11,
    TP_WAIT_DESCRIPTOR = 12,
    TP_WAIT_SOCKET = 13
};
#define TP_NOBODY 0xffffffffu
void __tp_waiting(enum __tp_wait kind, const void *object, unsigned owner);

/* Set by the front end: */
enum __tp_how_often { TP_NEVER = 0, TP_ONCE = 1, TP_ALWAYS = 2 };
extern const int __tp_option_spurious_wakeups; /* how often a thread may return from pthread_cond_wait without a signal */
extern const int __tp_option_reuse;            /* freed memory may be reused */
extern const int __tp_option_reuse_ids;        /* so may the ids of ended threads */
extern const int __tp_option_seeds;            /* the same seed gives the same random numbers again */
extern const int __tp_option_clock;            /* the program reads the clock */
extern const int __tp_option_cancel;           /* threads may be cancelled */
enum __tp_signals { TP_NO_SIGNALS = 0, TP_MASKS = 1, TP_HANDLERS = 2 };
extern const int __tp_option_signals;          /* whether signals come, and whether handlers may run */
extern const int __tp_option_sends;            /* the program sends signals itself */
extern const int __tp_option_threads;          /* the program can start threads */
extern const int __tp_argc;                    /* the arguments and environment of main */
extern char *__tp_argv[];
extern char *__tp_environ[];
extern const int __tp_option_io_errors; /* reads and writes may fail, or stop early */
extern const int __tp_option_connections; /* that the outside makes */
extern const int __tp_option_special; /* descriptors can be neither files nor pipes */
extern const int __tp_option_files; /* 1: the program can open files; 2: the standard streams have state of their own, too */

#endif
