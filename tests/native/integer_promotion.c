// Integer promotion and the usual arithmetic conversions (C11 6.3.1): what type an expression has shows in its value.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define KIND(x) \
    _Generic((x), int: "int", unsigned: "unsigned", long: "long", unsigned long: "unsigned long", \
        long long: "long long", unsigned long long: "unsigned long long", float: "float", double: "double")

int main(void) {
    signed char sc = -5;
    unsigned char uc = 250;
    short s = -300;
    unsigned short us = 65000;
    char c = '\xe4';
    printf("%s %s %s %s\n", KIND(+sc), KIND(uc + uc), KIND(s * us), KIND(~us));
    printf("%s %s %s %s\n", KIND(1 + 1u), KIND(1L + 1u), KIND(1LL + 1UL), KIND(1.0f + 1));
    printf("%d %d %d\n", sc + uc, sc * uc, uc + uc);
    printf("%d %d %d %d\n", s / 7, s % 7, s >> 3, us >> 3);
    printf("%d %d %d\n", ~uc, ~sc, -us);
    printf("%u %u\n", (unsigned)sc, (unsigned)s);
    printf("%d %d %d\n", -1 < 1u, sc < uc, (signed char)uc < sc);
    printf("%d %d\n", -1L < 1u, (short)-1 < (unsigned short)1);
    printf("%d\n", (unsigned char)(uc + 10));
    printf("%d %d\n", (signed char)(sc - 125), (short)(us + 1000));
    uc += 10;
    printf("%d\n", uc);
    uc = uc << 6;
    printf("%d\n", uc);
    us *= 3;
    printf("%d\n", us);
    printf("%d %d\n", c, c < 0);
    printf("%d %d\n", (int)sizeof(sc + sc), (int)sizeof(char));
    printf("%d %d\n", 'a' + 1, (int)sizeof 'a');
    uint32_t big = 4000000000u;
    int64_t wide = big;
    printf("%lld %lld %d\n", (long long)wide, (long long)(int32_t)big, (int16_t)big);
    printf("%llu\n", (unsigned long long)-1);
    printf("%u %u\n", UINT_MAX + 1u, 0u - 1u);
    printf("%d\n", (int)(unsigned char)-1 + (int)(signed char)255);
    printf("%d %d\n", !!256, (_Bool)0.25 + (_Bool)256);
    for (int i = -130; i <= 260; i += 65)
        printf("%d -> %d %d %d\n", i, (signed char)i, (unsigned char)i, (unsigned short)i);
    return 0;
}
