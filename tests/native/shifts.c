// Shifts and bit tricks in 8 to 64 bits.
#include <stdint.h>
#include <stdio.h>

static uint32_t rotate(uint32_t x, unsigned n) { return n ? x << n | x >> (32 - n) : x; }

static int bits(uint64_t x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static uint32_t reverse(uint32_t x) {
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1u) << (31 - i);
    return r;
}

int main(void) {
    for (int n = 0; n < 32; n += 5)
        printf("%2d %08x %08x %d\n", n, rotate(0x80000001u, n), 0xdeadbeefu >> n, -1000000 >> n);
    for (int n = 0; n < 64; n += 9)
        printf("%2d %016llx %lld\n", n, 0x0123456789abcdefULL << n, (long long)-0x0123456789abcdefLL >> n);
    printf("%d %d %d\n", bits(0), bits(0xff00ff), bits(~0ull));
    printf("%08x %08x\n", reverse(1), reverse(0x12345678));
    printf("%d %d %d %d\n", __builtin_popcount(0xf0f0u), __builtin_clz(1u), __builtin_ctz(0x100u), __builtin_ffs(0));
    printf("%d %d %d\n", __builtin_popcountll(~0ull >> 3), __builtin_clzll(1), __builtin_ctzll(1ull << 40));
    printf("%08x %016llx %04x\n", __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(0x1122334455667788),
           __builtin_bswap16(0xabcd));
    printf("%d %d\n", __builtin_parity(7), __builtin_parityll(0x3ull << 40));
    uint8_t b = 0x96;
    printf("%x %x %x\n", (uint8_t)(b << 1), (uint8_t)(b >> 1), (int8_t)b >> 1);
    printf("%x\n", ((unsigned)b << 24) >> 28);
    uint64_t state = 88172645463325252ull;
    for (int i = 0; i < 5; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        printf("%llu\n", (unsigned long long)state);
    }
    return 0;
}
