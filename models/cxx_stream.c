/* C++: the standard output streams, as include/c++/ostream has them, and how each thread formats what it writes to them. */
#include "internal.h"

struct stream {
    int has_own_format;
    int format[7];
    int fd;
    void *text;
};

struct stream _ZNSt3__14coutE = { .fd = 1 };
struct stream _ZNSt3__14cerrE = { .fd = 2 };
struct stream _ZNSt3__14clogE = { .fd = 2 };

/* Width, precision, base, what pads, whether at the right, whether `true` is a word, the form of floats: as in
 * include/c++/ios. */
static _Thread_local int format[7] = { 0, 6, 10, ' ', 0, 0, 0 };

TP_ALL_DO("helper")

int __tpm_cxx_format(int what)
{
    return format[what];
}

void __tpm_cxx_set_format(int what, int value)
{
    format[what] = value;
}

TP_END
