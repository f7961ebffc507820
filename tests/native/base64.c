// Base64, run-length and Caesar codes, forth and back.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(const unsigned char *in, size_t n, char *out) {
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = (unsigned)in[i] << 16 | (i + 1 < n ? (unsigned)in[i + 1] << 8 : 0) | (i + 2 < n ? in[i + 2] : 0);
        *out++ = alphabet[v >> 18];
        *out++ = alphabet[v >> 12 & 63];
        *out++ = i + 1 < n ? alphabet[v >> 6 & 63] : '=';
        *out++ = i + 2 < n ? alphabet[v & 63] : '=';
    }
    *out = 0;
}

static size_t decode(const char *in, unsigned char *out) {
    size_t n = 0;
    unsigned v = 0;
    int bits = 0;
    for (; *in && *in != '='; in++) {
        v = v << 6 | (unsigned)(strchr(alphabet, *in) - alphabet);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[n++] = (unsigned char)(v >> bits);
            v &= (1u << bits) - 1;
        }
    }
    return n;
}

static void run_length(const char *in, char *out) {
    while (*in) {
        int n = 1;
        while (in[n] == *in && n < 9)
            n++;
        *out++ = (char)('0' + n);
        *out++ = *in;
        in += n;
    }
    *out = 0;
}

static void caesar(char *text, int by) {
    for (; *text; text++)
        if (isalpha((unsigned char)*text)) {
            int base = isupper((unsigned char)*text) ? 'A' : 'a';
            *text = (char)(base + (*text - base + by + 26) % 26);
        }
}

int main(void) {
    const char *texts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "\xff\xfe\x01", "Man is mortal."};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char code[64];
        unsigned char back[64];
        encode((const unsigned char *)texts[i], strlen(texts[i]), code);
        size_t n = decode(code, back);
        printf("%s %d %d\n", code, (int)n, memcmp(back, texts[i], n));
    }
    char runs[64], secret[] = "Attack at Dawn, xyz!";
    run_length("aaabccddddddddddddde", runs);
    puts(runs);
    caesar(secret, 3);
    puts(secret);
    caesar(secret, -3);
    puts(secret);
    return 0;
}
