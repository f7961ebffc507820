/* Classes of characters in the C locale (C11 7.4), as functions and as the tables that glibc's macros read. */
#include "internal.h"

TP_ALL_DO("signal-safe")

#define UPPER(c) ((c) >= 'A' && (c) <= 'Z')
#define LOWER(c) ((c) >= 'a' && (c) <= 'z')
#define DIGIT(c) ((c) >= '0' && (c) <= '9')
#define XDIGIT(c) (DIGIT(c) || ((c) >= 'a' && (c) <= 'f') || ((c) >= 'A' && (c) <= 'F'))
#define ALPHA(c) (UPPER(c) || LOWER(c))
#define ALNUM(c) (ALPHA(c) || DIGIT(c))
#define SPACE(c) ((c) == ' ' || ((c) >= '\t' && (c) <= '\r'))
#define BLANK(c) ((c) == ' ' || (c) == '\t')
#define CNTRL(c) (((c) >= 0 && (c) < 32) || (c) == 127)
#define GRAPH(c) ((c) > 32 && (c) < 127)
#define PRINT(c) ((c) >= 32 && (c) < 127)
#define PUNCT(c) (GRAPH(c) && !ALNUM(c))
#define TO_LOWER(c) (UPPER(c) ? (c) - 'A' + 'a' : (c))
#define TO_UPPER(c) (LOWER(c) ? (c) - 'a' + 'A' : (c))

/* C11 7.4.1: not 0 if the character is in the class. */
#define CLASS(name, test)                                                                                              \
    int name(int c)                                                                                                    \
    {                                                                                                                  \
        return test(c);                                                                                                \
    }
CLASS(isupper, UPPER)
CLASS(islower, LOWER)
CLASS(isdigit, DIGIT)
CLASS(isxdigit, XDIGIT)
CLASS(isalpha, ALPHA)
CLASS(isalnum, ALNUM)
CLASS(isspace, SPACE)
CLASS(isblank, BLANK)
CLASS(iscntrl, CNTRL)
CLASS(isgraph, GRAPH)
CLASS(isprint, PRINT)
CLASS(ispunct, PUNCT)

/* POSIX isascii: not 0 for the characters 0 to 127. */
int isascii(int c)
{
    return c >= 0 && c < 128;
}

/* C11 7.4.2: the letter of the other case, or the character itself. */
int tolower(int c)
{
    return TO_LOWER(c);
}

int toupper(int c)
{
    return TO_UPPER(c);
}

/* glibc's tables have the indices -128 to 255; programs get a pointer to the entry of 0. */
#define BITS(c)                                                                                                        \
    (UPPER(c) << 8 | LOWER(c) << 9 | ALPHA(c) << 10 | DIGIT(c) << 11 | XDIGIT(c) << 12 | SPACE(c) << 13 |              \
     PRINT(c) << 14 | GRAPH(c) << 15 | BLANK(c) << 0 | CNTRL(c) << 1 | PUNCT(c) << 2 | ALNUM(c) << 3)
#define ROW4(entry, c) entry(c), entry(c + 1), entry(c + 2), entry(c + 3)
#define ROW16(entry, c) ROW4(entry, c), ROW4(entry, c + 4), ROW4(entry, c + 8), ROW4(entry, c + 12)
#define ROW64(entry, c) ROW16(entry, c), ROW16(entry, c + 16), ROW16(entry, c + 32), ROW16(entry, c + 48)
#define SELF(c) (c)

static const unsigned short bits[384] = {[128] = ROW64(BITS, 0), ROW64(BITS, 64)};
/* Indices below 0 are the bytes from 128 on as signed chars; EOF (-1) stays EOF. */
#define SIGNED_HALF                                                                                                    \
    ROW64(SELF, 128), ROW16(SELF, 192), ROW16(SELF, 208), ROW16(SELF, 224), ROW4(SELF, 240), ROW4(SELF, 244),          \
        ROW4(SELF, 248), 252, 253, 254, -1
#define UPPER_HALF ROW64(SELF, 128), ROW64(SELF, 192)
static const int lower[384] = {SIGNED_HALF, ROW64(TO_LOWER, 0), ROW64(TO_LOWER, 64), UPPER_HALF};
static const int upper[384] = {SIGNED_HALF, ROW64(TO_UPPER, 0), ROW64(TO_UPPER, 64), UPPER_HALF};

static const unsigned short *const bits_of_0 = bits + 128;
static const int *const lower_of_0 = lower + 128;
static const int *const upper_of_0 = upper + 128;

const unsigned short **__ctype_b_loc(void)
{
    return (const unsigned short **)&bits_of_0;
}

const int **__ctype_tolower_loc(void)
{
    return (const int **)&lower_of_0;
}

const int **__ctype_toupper_loc(void)
{
    return (const int **)&upper_of_0;
}

size_t __ctype_get_mb_cur_max(void)
{
    return 1;
}

TP_END
