// Conversions between all arithmetic types, explicit and implicit, in assignment, call, return and compound assignment.
#include <stdint.h>
#include <stdio.h>

static unsigned char narrow(int x) { return (unsigned char)x; }
static double widen(float x) { return x; }
static long long to_wide(int x) { return x; }
static unsigned long long to_unsigned(int x) { return (unsigned long long)x; }
static float to_float(long long x) { return (float)x; }
static _Bool to_bool(double x) { return x; }
static short mixed(char a, unsigned short b, long c, float d) { return (short)(a + b + c + (int)d); }

int main(void) {
    const int ints[] = {0, 1, -1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2147483647, -2147483647 - 1};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        int x = ints[i];
        printf("%d: %d %d %d %d %u %lld %llu %g %g %d\n", x, (int8_t)x, (uint8_t)x, (int16_t)x, (uint16_t)x, (uint32_t)x, (long long)x,
               (unsigned long long)x, (float)x, (double)x, (_Bool)x);
    }
    const double doubles[] = {0.0, 0.4, 0.5, 0.9999999, 1.5, -0.7, 126.9, 255.5, -128.9, 65535.999, 2147483647.5, 4294967295.9};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        double d = doubles[i];
        printf("%.7g: %lld %d", d, (long long)d, to_bool(d));
        if (d > -1)
            printf(" %u", (unsigned)d);
        if (d < 256 && d > -1)
            printf(" %u", (unsigned char)d);
        printf(" %.9g\n", (float)d);
    }
    printf("%d %.9g %lld %llu %.9g\n", narrow(-2), widen(0.1f), to_wide(-9), to_unsigned(-9), to_float(123456789012345LL));
    printf("%d\n", mixed(-3, 65535, -65530L, 3.99f));
    char c = 100;
    c += 100;
    unsigned char u = 200;
    u += 100;
    short s = 30000;
    s = (short)(s * 2);
    int n = 10;
    n *= 2.55;
    n -= 0.5f;
    float f = 1;
    f += 1e-10;
    unsigned long long big = 1;
    big <<= 63;
    float rounded = (float)big;
    printf("%d %d %d %d %g %g\n", c, u, s, n, f, rounded);
    printf("%.20g %.20g\n", (double)9007199254740993LL, (double)(float)16777219);
    printf("%.1f %.1f\n", (float)0x7fffffffffffffffLL, (double)0xfffffffffffff800ULL);
    printf("%d %d\n", (int)'\377', (unsigned char)'\377');
    enum small { A = 1, B = 200 } e = B;
    printf("%d %d\n", (signed char)e, e + A);
    uint32_t word = 0xfffefdfc;
    printf("%d %d %d\n", (int8_t)word, (int16_t)(word >> 8), (int32_t)word / 256);
    printf("%u %d\n", (unsigned)-1 / 2, -1 / 2);
    printf("%lu %ld\n", (unsigned long)(unsigned)-1, (long)(int)(unsigned)-1);
    return 0;
}
