// run: --runs 20
// The input functions of the less common types give values of those types.
#include <assert.h>
#include <stddef.h>

extern signed char __VERIFIER_nondet_schar(void);
extern unsigned char __VERIFIER_nondet_u8(void);
extern unsigned char __VERIFIER_nondet_unsigned_char(void);
extern unsigned short __VERIFIER_nondet_u16(void);
extern unsigned __VERIFIER_nondet_u32(void);
extern unsigned __VERIFIER_nondet_unsigned(void);
extern unsigned __VERIFIER_nondet_unsigned_int(void);
extern unsigned long __VERIFIER_nondet_unsigned_long(void);
extern size_t __VERIFIER_nondet_size_t(void);
extern long long __VERIFIER_nondet_loff_t(void);
extern void *__VERIFIER_nondet_pointer(void);
extern char *__VERIFIER_nondet_pchar(void);
extern __int128 __VERIFIER_nondet_int128(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);

int main(void) {
    signed char s = __VERIFIER_nondet_schar();
    assert(s >= -128 && s <= 127);
    assert(__VERIFIER_nondet_u8() <= 255 && __VERIFIER_nondet_unsigned_char() <= 255);
    assert(__VERIFIER_nondet_u16() <= 65535);
    unsigned long long sum = __VERIFIER_nondet_u32();
    sum += __VERIFIER_nondet_unsigned();
    sum += __VERIFIER_nondet_unsigned_int();
    assert(sum <= 3 * 0xffffffffull);
    (void)__VERIFIER_nondet_unsigned_long();
    (void)__VERIFIER_nondet_size_t();
    (void)__VERIFIER_nondet_loff_t();
    (void)__VERIFIER_nondet_pointer();
    (void)__VERIFIER_nondet_pchar();
    __int128 wide = __VERIFIER_nondet_int128();
    assert((wide >> 127 != 0) == (wide < 0));
    assert(__VERIFIER_nondet_uint128() >> 127 <= 1);
    return 0;
}
