// run: --runs 50 --seed 1
// Inputs of every type have the range of their type.
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    int b = __VERIFIER_nondet_bool();
    assert(b == 0 || b == 1);
    int c = __VERIFIER_nondet_char(), uc = __VERIFIER_nondet_uchar();
    assert(c >= -128 && c <= 127 && uc >= 0 && uc <= 255);
    int s = __VERIFIER_nondet_short(), us = __VERIFIER_nondet_ushort();
    assert(s >= -32768 && s <= 32767 && us >= 0 && us <= 65535);
    long long sum = (long long)__VERIFIER_nondet_int() + __VERIFIER_nondet_uint();
    assert(sum >= -2147483648LL && sum <= 2147483647LL + 4294967295LL);
    unsigned long long mix = (unsigned long)__VERIFIER_nondet_long() ^ __VERIFIER_nondet_ulong();
    mix ^= (unsigned long long)__VERIFIER_nondet_longlong() ^ __VERIFIER_nondet_ulonglong();
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    return mix == 1 && f > d;
}
