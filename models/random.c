/* Random numbers: any number the function may return is an input, whatever the seed; but rand_r computes. */
#include "internal.h"

/* C11 7.22.2.1: a number from 0 to RAND_MAX. */
int rand(void)
{
    return (int)(__tp_input_u32("rand") & 0x7fffffff);
}

/* C11 7.22.2.2: the seed of the numbers that follow. */
void srand(unsigned seed)
{
    (void)seed;
}

/* POSIX rand_r: as rand, the state being the caller's: the same state gives the same number. It is that of the C library. */
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
long random(void)
{
    return (long)(__tp_input_u32("random") & 0x7fffffff);
}

/* POSIX srandom: the seed of the numbers that follow. */
void srandom(unsigned seed)
{
    (void)seed;
}

/* POSIX drand48: a number of at least 0 and less than 1. */
double drand48(void)
{
    return __tp_input_u32("drand48") * (1.0 / 4294967296.0);
}

/* POSIX erand48: the same, the state being the caller's. */
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
