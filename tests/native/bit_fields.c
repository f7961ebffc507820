// Bit-fields: width, sign, packing, assignment with truncation, and the bytes they make up.
#include <stdio.h>
#include <string.h>

struct flags {
    unsigned a : 1, b : 3, c : 12;
    signed d : 5;
    unsigned : 0;
    unsigned e : 32;
    unsigned long long f : 40;
    unsigned char g : 4, h : 4;
    _Bool i : 1;
};

struct date {
    unsigned day : 5, month : 4, year : 12;
};

union word {
    struct {
        unsigned low : 10, middle : 12, high : 10;
    } parts;
    unsigned all;
};

static void dump(const void *p, size_t n) {
    const unsigned char *bytes = p;
    for (size_t i = 0; i < n; i++)
        printf("%02x", bytes[i]);
    printf("\n");
}

static struct date next_month(struct date d) {
    if (++d.month > 12) {
        d.month = 1;
        d.year++;
    }
    return d;
}

int main(void) {
    struct flags f;
    int nine = 9, ones = 0x1f;
    memset(&f, 0, sizeof f);
    f.a = 1;
    f.b = nine;
    f.c = 0xabc;
    f.d = -3;
    f.e = 0xdeadbeef;
    f.f = 0x123456789aULL;
    f.g = ones;
    f.h = 6;
    f.i = 4;
    printf("%d %d %x %d %x %llx %d %d %d\n", f.a, f.b, f.c, f.d, f.e, (unsigned long long)f.f, f.g, f.h, f.i);
    printf("%d\n", (int)sizeof f);
    dump(&f, sizeof f);
    f.d = 15;
    f.d++;
    f.c += 0x600;
    f.b--;
    f.f <<= 4;
    printf("%d %x %d %llx\n", f.d, f.c, f.b, (unsigned long long)f.f);
    printf("%d\n", f.b - 5);
    struct date d = {.day = 31, .month = 11, .year = 1999};
    for (int i = 0; i < 3; i++) {
        d = next_month(d);
        printf("%d-%d-%d\n", d.year, d.month, d.day);
    }
    union word w = {.all = 0xcafebabe};
    printf("%x %x %x\n", w.parts.low, w.parts.middle, w.parts.high);
    w.parts.middle = 0x123;
    printf("%x\n", w.all);
    struct {
        signed x : 3;
    } s;
    for (int i = 0; i < 8; i++) {
        s.x = i < 4 ? i : i - 8;
        printf("%d ", s.x);
    }
    printf("\n");
    return 0;
}
