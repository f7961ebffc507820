/* What clang calls where arithmetic goes wrong, in sources that it was asked to check (see crates/frontend/src/folded.rs).
 * Each does the operation once more, now with variables: it fails as it does everywhere else. */
#include "internal.h"

/* What clang passes first: a place, and the types of the operands. The type of an integer has twice the logarithm of its
 * bits, plus one if it is signed; that of a float has its bits. */
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

/* What is larger than a word is passed by its address. */
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

/* The count has a type of its own; what is shifted does not matter. */
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

/* Every type has the numbers up to 127; what one does not have is missing in at least one of these two. */
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
