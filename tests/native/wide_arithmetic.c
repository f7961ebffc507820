// 64-bit multiplication and division, with 128-bit arithmetic where the compiler has it.
#include <inttypes.h>
#include <stdio.h>

static uint64_t mul_high(uint64_t a, uint64_t b) {
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t middle = ah * bl + (al * bl >> 32);
    uint64_t middle2 = al * bh + (uint32_t)middle;
    return ah * bh + (middle >> 32) + (middle2 >> 32);
}

static uint64_t power_mod(uint64_t base, uint64_t exponent, uint64_t m) {
    uint64_t result = 1;
    for (base %= m; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * base % m;
        base = base * base % m;
    }
    return result;
}

#ifdef __SIZEOF_INT128__
static void print128(unsigned __int128 x) {
    char text[40];
    int n = 0;
    do {
        text[n++] = '0' + (int)(x % 10);
        x /= 10;
    } while (x);
    while (n)
        putchar(text[--n]);
    putchar('\n');
}
#endif

int main(void) {
    printf("%016" PRIx64 " %016" PRIx64 "\n", mul_high(~0ull, ~0ull), mul_high(0x123456789abcdef0, 0xfedcba9876543210));
    printf("%" PRIu64 " %" PRIu64 "\n", power_mod(3, 1000000, 1000000007), power_mod(2, 61, 4294967291u));
    int64_t a = -1234567890123456789, b = 987654321;
    printf("%" PRId64 " %" PRId64 "\n", a / b, a % b);
    printf("%" PRIu64 " %" PRIu64 "\n", (uint64_t)a / 10, (uint64_t)a % 1000003);
    printf("%" PRId64 " %" PRId32 "\n", a * 7, (int32_t)(a >> 20));
    printf("%d %d %d\n", a < b, (uint64_t)a < (uint64_t)b, (int)(a >> 63));
    double d = (double)a;
    printf("%.1f %.1f %" PRId64 "\n", d, (double)(uint64_t)a, (int64_t)(d / 3));
#ifdef __SIZEOF_INT128__
    unsigned __int128 f = 1;
    for (int i = 2; i <= 33; i++)
        f *= i;
    print128(f);
    print128(f / 1000000007u);
    print128(f % ((unsigned __int128)1 << 100));
    print128(f >> 70);
    __int128 n = -(__int128)f;
    print128((unsigned __int128)(-(n / 12345)));
    print128((unsigned __int128)(n >> 3) & 0xffff);
    printf("%d %d %d\n", n < 0, (int)(f > (unsigned __int128)n), (int)((uint64_t)(f >> 64) == (uint64_t)f));
    printf("%016llx %g\n", (unsigned long long)(f ^ (f << 9)), (double)f);
#endif
    return 0;
}
