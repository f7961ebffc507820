/* threadproof.h: inputs, assumptions, assertions and atomic blocks for programs that Threadproof checks.
 *
 *     int amount = tp_input_int("amount");      any int at all
 *     tp_assume(amount > 0);                    executions where this is false do not count
 *     tp_atomic { balance -= amount; }          one step, no other thread in between
 *     tp_assert(balance >= 0);                  a violation if it is false
 *
 * In an ordinary build the same program works without Threadproof: an input is the number in the environment variable of
 * that name (0 if there is none), tp_assume and tp_atomic do nothing, tp_assert is assert. */
#ifndef THREADPROOF_H
#define THREADPROOF_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __THREADPROOF__

bool tp_input_bool(const char *name);
char tp_input_char(const char *name);
unsigned char tp_input_uchar(const char *name);
short tp_input_short(const char *name);
unsigned short tp_input_ushort(const char *name);
int tp_input_int(const char *name);
unsigned tp_input_uint(const char *name);
long tp_input_long(const char *name);
unsigned long tp_input_ulong(const char *name);
long long tp_input_longlong(const char *name);
unsigned long long tp_input_ulonglong(const char *name);
size_t tp_input_size(const char *name);
float tp_input_float(const char *name);
double tp_input_double(const char *name);
int tp_input_range(const char *name, int least, int greatest); /* any int from least to greatest */

void tp_assume(bool condition);
void tp_assertion_failed(const char *expression);
#define tp_assert(condition) ((condition) ? (void)0 : tp_assertion_failed(#condition))

void tp_atomic_begin(void);
void tp_atomic_end(void);

#else /* an ordinary build */

#include <assert.h>
#include <stdlib.h>

static inline const char *tp_environment_(const char *name)
{
    const char *text = getenv(name);
    return text ? text : "0";
}

#define TP_INPUT_(word, type, convert)                                                                                 \
    static inline type tp_input_##word(const char *name)                                                               \
    {                                                                                                                  \
        return (type)convert;                                                                                          \
    }
TP_INPUT_(bool, bool, (strtol(tp_environment_(name), 0, 0) != 0))
TP_INPUT_(char, char, strtol(tp_environment_(name), 0, 0))
TP_INPUT_(uchar, unsigned char, strtoul(tp_environment_(name), 0, 0))
TP_INPUT_(short, short, strtol(tp_environment_(name), 0, 0))
TP_INPUT_(ushort, unsigned short, strtoul(tp_environment_(name), 0, 0))
TP_INPUT_(int, int, strtol(tp_environment_(name), 0, 0))
TP_INPUT_(uint, unsigned, strtoul(tp_environment_(name), 0, 0))
TP_INPUT_(long, long, strtol(tp_environment_(name), 0, 0))
TP_INPUT_(ulong, unsigned long, strtoul(tp_environment_(name), 0, 0))
TP_INPUT_(longlong, long long, strtoll(tp_environment_(name), 0, 0))
TP_INPUT_(ulonglong, unsigned long long, strtoull(tp_environment_(name), 0, 0))
TP_INPUT_(size, size_t, strtoull(tp_environment_(name), 0, 0))
TP_INPUT_(float, float, strtod(tp_environment_(name), 0))
TP_INPUT_(double, double, strtod(tp_environment_(name), 0))
#undef TP_INPUT_

static inline int tp_input_range(const char *name, int least, int greatest)
{
    int value = tp_input_int(name);
    return value < least ? least : value > greatest ? greatest : value;
}

static inline void tp_assume(bool condition)
{
    (void)condition;
}
#define tp_assert(condition) assert(condition)

static inline void tp_atomic_begin(void)
{
}
static inline void tp_atomic_end(void)
{
}

#endif

static inline void tp_leave_(int *inside)
{
    (void)inside;
    tp_atomic_end();
}
static inline int tp_enter_(void)
{
    tp_atomic_begin();
    return 1;
}

/* The statement after it is one step. It may be left by break, goto and return. */
#define tp_atomic for (int tp_inside_ __attribute__((cleanup(tp_leave_))) = tp_enter_(); tp_inside_; tp_inside_ = 0)

#ifdef __cplusplus
}
#endif

#endif
