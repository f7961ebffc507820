/* What clang calls where arithmetic goes wrong, in sources that it was asked to check (see crates/frontend/src/folded.rs).
 * Each repeats the operation on variables, so that it fails as it does everywhere else. */
#include "internal.h"

TP_ALL_DO("signal-safe")

/* What clang passes first: a place, and the types of the operands. `info` of an integer type is twice the logarithm of
 * its width, plus one if it is signed; of a float type, its width. */
struct type {
    unsigned short kind, info;
};

struct check {
    const char *file;
    unsigned line, column;
    const struct type *type, *to;
};

#ifdef __SIZEOF_INT128__
typedef __int128 largest;
#else
typedef long long largest;
#endif

/* A value larger than a word is passed by address. */
#define VALUE(type, word) (sizeof(type) <= sizeof(long) ? (type)(word) : *(const type *)(word))

#define OPERATION(name, operator)                                                                                      \
    void __ubsan_handle_##name(const struct check *check, unsigned long a, unsigned long b)                            \
    {                                                                                                                  \
        unsigned bits = 1u << (check->type->info >> 1);                                                                \
        if (bits <= 32)                                                                                                \
            (void)((int)a operator(int) b);                                                                            \
        else if (bits == 64)                                                                                           \
            (void)(VALUE(long long, a) operator VALUE(long long, b));                                                  \
        else                                                                                                           \
            (void)(VALUE(largest, a) operator VALUE(largest, b));                                                      \
    }
OPERATION(add_overflow, +)
OPERATION(sub_overflow, -)
OPERATION(mul_overflow, *)
OPERATION(divrem_overflow, /)

void __ubsan_handle_negate_overflow(const struct check *check, unsigned long a)
{
    unsigned bits = 1u << (check->type->info >> 1);
    if (bits <= 32)
        (void)-(int)a;
    else if (bits == 64)
        (void)-VALUE(long long, a);
    else
        (void)-VALUE(largest, a);
}

/* The shift count has a type of its own; the shifted value does not matter. */
void __ubsan_handle_shift_out_of_bounds(const struct check *check, unsigned long a, unsigned long count)
{
    (void)a;
    unsigned bits = 1u << (check->type->info >> 1);
    if (bits <= 32)
        (void)(1 << (int)count);
    else if (bits == 64)
        (void)(1LL << (int)count);
    else
        (void)((largest)1 << (int)count);
}

/* Every integer type holds 0 to 127: a value that some type does not hold is out of range for one of the last two. */
void __ubsan_handle_float_cast_overflow(const struct check *check, unsigned long word)
{
    union {
        unsigned long long bits;
        double wide;
        float narrow;
    } number;
    double value = __builtin_inf();
    if (check->type->info == 64) {
        number.bits = VALUE(unsigned long long, word);
        value = number.wide;
    } else if (check->type->info == 32) {
        number.bits = word;
        value = number.narrow;
    }
    if (check->to->info == (5 << 1 | 1))
        (void)(int)value;
    else if (check->to->info == 5 << 1)
        (void)(unsigned)value;
    (void)(signed char)value;
    (void)(unsigned char)value;
}

TP_END
