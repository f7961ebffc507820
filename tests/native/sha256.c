// SHA-256 and CRC-32: shifts, rotations and wrapping arithmetic with well-known results.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t right(uint32_t x, int n) { return x >> n | x << (32 - n); }

static uint32_t root_bits(uint32_t p, int cube) {
    uint64_t low = 0, high = (uint64_t)1 << 36;
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        double x = (double)middle / 4294967296.0;
        if ((cube ? x * x * x : x * x) <= p)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void compress(uint32_t *h, const uint32_t *k, const uint8_t *block) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t e = right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25);
        uint32_t t1 = s[7] + e + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        uint32_t a = right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22);
        uint32_t t2 = a + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}

static void sha256(const uint32_t *start, const uint32_t *k, const char *text) {
    uint32_t h[8];
    uint8_t block[64];
    size_t length = strlen(text), done = 0;
    memcpy(h, start, sizeof h);
    for (; length - done >= 64; done += 64)
        compress(h, k, (const uint8_t *)text + done);
    memset(block, 0, sizeof block);
    memcpy(block, text + done, length - done);
    block[length - done] = 0x80;
    if (length - done >= 56) {
        compress(h, k, block);
        memset(block, 0, sizeof block);
    }
    for (int i = 0; i < 4; i++)
        block[63 - i] = (uint8_t)(length * 8 >> (8 * i));
    compress(h, k, block);
    for (int i = 0; i < 8; i++)
        printf("%08x", h[i]);
    printf("\n");
}

static uint32_t crc32(const char *text) {
    uint32_t crc = ~0u;
    for (; *text; text++) {
        crc ^= (unsigned char)*text;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

int main(void) {
    uint32_t start[8], k[64];
    for (uint32_t n = 2, count = 0; count < 64; n++) {
        int prime = 1;
        for (uint32_t d = 2; d * d <= n; d++)
            prime &= n % d != 0;
        if (!prime)
            continue;
        if (count < 8)
            start[count] = root_bits(n, 0);
        k[count++] = root_bits(n, 1);
    }
    printf("%08x %08x %08x\n", start[0], k[0], k[63]);
    sha256(start, k, "");
    sha256(start, k, "abc");
    sha256(start, k, "a message of more than one block, which is longer than sixty-four bytes, so that it takes two rounds");
    printf("%08x %08x\n", crc32("123456789"), crc32(""));
    return 0;
}
