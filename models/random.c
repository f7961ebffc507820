/* Random numbers are inputs: any number in the range of the function. Only rand_r computes its number. */
#include "internal.h"

/* The numbers drawn so far, kept where the program can observe that a seed repeats them. rand and random share a
 * generator, as in the C library. The seed and the count of draws since it was set determine a number. */
enum { MOST_DRAWN = 16 };

static struct drawn {
    unsigned seed, index, number;
} drawn[MOST_DRAWN];

static unsigned current_seed = 1, current_index, remembered;

/* Drawing a number orders nothing, as POSIX does not say that it does: all accesses to this state are quiet. */
static _Bool is_drawn(const struct drawn *d, unsigned seed, unsigned index)
{
    return __tpm_quiet_look(&d->seed) == seed && __tpm_quiet_look(&d->index) == index;
}

static void remember(unsigned seed, unsigned index, unsigned number)
{
    unsigned i = __tpm_quiet_look(&remembered);
    if (i >= MOST_DRAWN)
        return;
    __tpm_quiet_set(&drawn[i].seed, seed);
    __tpm_quiet_set(&drawn[i].index, index);
    __tpm_quiet_set(&drawn[i].number, number);
    __tpm_quiet_set(&remembered, i + 1);
}

static unsigned draw_of_seed(const char *name)
{
    unsigned number = 0;
    _Bool is_new = 1;
    __tp_atomic_begin();
    unsigned seed = __tpm_quiet_look(&current_seed), index = __tpm_quiet_look(&current_index);
    unsigned count = __tpm_quiet_look(&remembered);
    for (unsigned i = 0; i < MOST_DRAWN; i++) {
        if (i < count && is_drawn(&drawn[i], seed, index)) {
            number = __tpm_quiet_look(&drawn[i].number);
            is_new = 0;
        }
    }
    if (is_new) {
        number = __tp_input_u32(name) & 0x7fffffff;
        remember(seed, index, number);
    }
    __tpm_quiet_set(&current_index, index + 1);
    __tp_atomic_end();
    return number;
}

static void set_seed(unsigned seed)
{
    __tp_atomic_begin();
    __tpm_quiet_set(&current_seed, seed);
    __tpm_quiet_set(&current_index, 0);
    __tp_atomic_end();
}

/* Macros, so that the alternative that the option rules out leaves no code. */
#define DRAW(name) (__tp_option_seeds ? draw_of_seed(name) : __tp_input_u32(name) & 0x7fffffff)
#define SEED(seed)                                                                                                     \
    if (__tp_option_seeds)                                                                                             \
    set_seed(seed)

/* C11 7.22.2.1: a number from 0 to RAND_MAX. */
TP_DOES("draw")
int rand(void)
{
    return (int)DRAW("rand");
}

/* C11 7.22.2.2: sets the seed; the same seed gives the same numbers. Without a call, the seed is 1. */
TP_DOES("seed")
void srand(unsigned seed)
{
    SEED(seed);
}

/* POSIX rand_r: as rand, with the caller's state, which determines the number. It computes as the C library does. */
int rand_r(unsigned *state)
{
    unsigned next = *state, result = 0;
    for (int i = 0; i < 3; i++) {
        next = next * 1103515245u + 12345u;
        result = i == 0 ? next / 65536 % 2048 : result << 10 ^ next / 65536 % 1024;
    }
    *state = next;
    return (int)result;
}

/* POSIX random: a number from 0 to 2^31 - 1. */
TP_DOES("draw")
long random(void)
{
    return (long)DRAW("random");
}

/* POSIX srandom: the seed of the numbers that follow. */
TP_DOES("seed")
void srandom(unsigned seed)
{
    SEED(seed);
}

/* POSIX drand48: a number of at least 0 and less than 1. */
double drand48(void)
{
    return __tp_input_u32("drand48") * (1.0 / 4294967296.0);
}

/* POSIX erand48: the same, with the caller's state. */
double erand48(unsigned short state[3])
{
    unsigned n = __tp_input_u32("erand48");
    state[0] = (unsigned short)(state[0] + n);
    return n * (1.0 / 4294967296.0);
}

/* POSIX lrand48: a number from 0 to 2^31 - 1. */
long lrand48(void)
{
    return (long)(__tp_input_u32("lrand48") & 0x7fffffff);
}

/* POSIX mrand48: a number from -2^31 to 2^31 - 1. */
long mrand48(void)
{
    return __tp_input_i32("mrand48");
}

/* POSIX srand48: the seed of the numbers that follow. */
void srand48(long seed)
{
    (void)seed;
}

/* BSD arc4random: any 32-bit number. */
unsigned arc4random(void)
{
    return __tp_input_u32("arc4random");
}

/* BSD arc4random_uniform: a number below the bound. */
unsigned arc4random_uniform(unsigned bound)
{
    return bound < 2 ? 0 : __tp_input_u32("arc4random_uniform") % bound;
}
