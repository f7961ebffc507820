/* The functions by which the programs of SV-COMP speak to a verifier. */
#include "internal.h"

TP_ALL_DO("signal-safe")

/* Any value of the type. */
#define NONDET(name, type, input)                                                                                      \
    type __VERIFIER_nondet_##name(void)                                                                                \
    {                                                                                                                  \
        return (type)__tp_input_##input("__VERIFIER_nondet_" #name);                                                   \
    }
NONDET(bool, _Bool, bool)
NONDET(char, char, i8)
NONDET(schar, signed char, i8)
NONDET(uchar, unsigned char, u8)
NONDET(unsigned_char, unsigned char, u8)
NONDET(short, short, i16)
NONDET(ushort, unsigned short, u16)
NONDET(int, int, i32)
NONDET(uint, unsigned, u32)
NONDET(unsigned, unsigned, u32)
NONDET(unsigned_int, unsigned, u32)
NONDET(longlong, long long, i64)
NONDET(ulonglong, unsigned long long, u64)
#ifdef __LP64__
NONDET(long, long, i64)
NONDET(ulong, unsigned long, u64)
NONDET(unsigned_long, unsigned long, u64)
NONDET(size_t, size_t, u64)
#else
NONDET(long, long, i32)
NONDET(ulong, unsigned long, u32)
NONDET(unsigned_long, unsigned long, u32)
NONDET(size_t, size_t, u32)
#endif
NONDET(loff_t, long long, i64)
NONDET(u8, unsigned char, u8)
NONDET(u16, unsigned short, u16)
NONDET(u32, unsigned, u32)
NONDET(float, float, float)
NONDET(double, double, double)
NONDET(pointer, void *, pointer)
NONDET(pchar, char *, pointer)

#ifdef __SIZEOF_INT128__
/* 128 bits are two inputs. */
unsigned __int128 __VERIFIER_nondet_uint128(void)
{
    unsigned __int128 high = __tp_input_u64("__VERIFIER_nondet_uint128 high");
    return high << 64 | __tp_input_u64("__VERIFIER_nondet_uint128 low");
}

__int128 __VERIFIER_nondet_int128(void)
{
    return (__int128)__VERIFIER_nondet_uint128();
}
#endif

/* Executions where the condition is false do not count; in an atomic section the thread waits for it. */
void __VERIFIER_assume(int condition)
{
    __tp_assume(condition != 0);
}

/* The program ends, without a violation, if the condition is false. */
void assume_abort_if_not(int condition)
{
    if (!condition)
        __tp_exit(134);
}

/* What is between the two is one step. */
TP_DOES("atomic")
void __VERIFIER_atomic_begin(void)
{
    __tp_atomic_begin();
    if (__tp_option_signals == TP_HANDLERS)
        __tpm_hold_signals();
}

TP_DOES("atomic")
void __VERIFIER_atomic_end(void)
{
    if (__tp_option_signals == TP_HANDLERS)
        __tpm_let_signals_in();
    __tp_atomic_end();
}

/* A call is a violation. */
void reach_error(void)
{
    __tp_assert(0, TP_REACH_ERROR, "reach_error() is called");
}

_Noreturn void __VERIFIER_error(void)
{
    __tp_assert(0, TP_REACH_ERROR, "__VERIFIER_error() is called");
    __tp_exit(134);
}

/* A call with a false condition is a violation. */
void __VERIFIER_assert(int condition)
{
    __tp_assert(condition != 0, TP_REACH_ERROR, "__VERIFIER_assert() is called with a false condition");
    if (!condition)
        __tp_exit(134);
}

TP_END
