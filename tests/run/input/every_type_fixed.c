// run: --runs 50 --seed 1
// Inputs of every type of threadproof.h, each within the range of its type.
#include <threadproof.h>

int main(void) {
    int truth = tp_input_bool("truth"), c = tp_input_char("c"), uc = tp_input_uchar("uc");
    int s = tp_input_short("s"), us = tp_input_ushort("us");
    tp_assert((truth == 0 || truth == 1) && c >= -128 && c <= 127 && uc >= 0 && uc <= 255);
    tp_assert(s >= -32768 && s <= 32767 && us >= 0 && us <= 65535);
    long l = tp_input_long("l");
    unsigned long ul = tp_input_ulong("ul");
    long long ll = tp_input_longlong("ll");
    unsigned long long ull = tp_input_ulonglong("ull");
    size_t size = tp_input_size("size");
    float f = tp_input_float("f");
    double d = tp_input_double("d");
    tp_assume(l != 0 && ul != 0 && ll != 0 && ull != 0 && size != 0 && f == f && d == d);
    int die = tp_input_range("die", 1, 6);
    tp_assert(die >= 1 && die <= 6);
    return 0;
}
