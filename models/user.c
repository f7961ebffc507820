/* The functions of include/threadproof.h. */
#include "internal.h"

TP_ALL_DO("signal-safe")

/* Any value of the type, under the user's name for it. */
#define INPUT(word, type, input)                                                                                       \
    type tp_input_##word(const char *name)                                                                             \
    {                                                                                                                  \
        return (type)__tp_input_##input(name);                                                                         \
    }
INPUT(bool, _Bool, bool)
INPUT(char, char, i8)
INPUT(uchar, unsigned char, u8)
INPUT(short, short, i16)
INPUT(ushort, unsigned short, u16)
INPUT(int, int, i32)
INPUT(uint, unsigned, u32)
INPUT(longlong, long long, i64)
INPUT(ulonglong, unsigned long long, u64)
#ifdef __LP64__
INPUT(long, long, i64)
INPUT(ulong, unsigned long, u64)
INPUT(size, size_t, u64)
#else
INPUT(long, long, i32)
INPUT(ulong, unsigned long, u32)
INPUT(size, size_t, u32)
#endif
INPUT(float, float, float)
INPUT(double, double, double)

/* Any value from least to greatest; executions with an empty range do not count. */
int tp_input_range(const char *name, int least, int greatest)
{
    unsigned size = (unsigned)greatest - (unsigned)least + 1u;
    __tp_assume(least <= greatest);
    unsigned chosen = __tp_input_u32(name);
    return size == 0 ? (int)chosen : (int)((unsigned)least + (chosen - (unsigned)least) % size);
}

/* Executions where the condition is false do not count. */
void tp_assume(_Bool condition)
{
    __tp_assume(condition);
}

void tp_assertion_failed(const char *expression)
{
    __tp_assert(0, TP_ASSERT, expression);
    __tp_exit(128 + 6);
}

/* What is between the two is one step. */
void tp_atomic_begin(void)
{
    __tp_atomic_begin();
    if (__tp_option_signals == TP_HANDLERS)
        __tpm_hold_signals();
}

void tp_atomic_end(void)
{
    if (__tp_option_signals == TP_HANDLERS)
        __tpm_let_signals_in();
    __tp_atomic_end();
}

TP_END
