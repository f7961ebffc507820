// Unions: one memory seen as several types, tagged unions, and unions in arguments and results.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union number {
    uint8_t bytes[8];
    uint16_t halves[4];
    uint32_t words[2];
    uint64_t whole;
    float single;
    double real;
};

struct value {
    enum { INTEGER, REAL, TEXT, PAIR } kind;
    union {
        long long integer;
        double real;
        char text[12];
        struct {
            short first, second;
        };
    };
};

static void show(struct value v) {
    switch (v.kind) {
    case INTEGER:
        printf("integer %lld\n", v.integer);
        break;
    case REAL:
        printf("real %g\n", v.real);
        break;
    case TEXT:
        printf("text %s\n", v.text);
        break;
    case PAIR:
        printf("pair %d %d\n", v.first, v.second);
    }
}

static struct value add(struct value a, struct value b) {
    if (a.kind == INTEGER && b.kind == INTEGER)
        return (struct value){.kind = INTEGER, .integer = a.integer + b.integer};
    double x = a.kind == INTEGER ? (double)a.integer : a.real;
    double y = b.kind == INTEGER ? (double)b.integer : b.real;
    return (struct value){.kind = REAL, .real = x + y};
}

static union number swap(union number n) {
    uint32_t w = n.words[0];
    n.words[0] = n.words[1];
    n.words[1] = w;
    return n;
}

int main(void) {
    union number n = {.whole = 0x0123456789abcdefULL};
    for (int i = 0; i < 8; i++)
        printf("%02x ", n.bytes[i]);
    printf("\n%04x %08x\n", n.halves[1], n.words[1]);
    n.bytes[3] = 0xff;
    printf("%016llx\n", (unsigned long long)n.whole);
    n.real = -1.5;
    printf("%08x %08x\n", n.words[1], n.words[0]);
    n = swap(n);
    printf("%016llx\n", (unsigned long long)n.whole);
    n.single = 0.1f;
    printf("%08x\n", n.words[0]);
    n.words[0] = 0x40490fdb;
    printf("%.6f\n", n.single);
    struct value values[] = {
        {.kind = INTEGER, .integer = 41},
        {.kind = REAL, .real = 0.5},
        {.kind = TEXT, .text = "hello"},
        {.kind = PAIR, .first = -1, .second = 2},
    };
    for (int i = 0; i < 4; i++)
        show(values[i]);
    show(add(values[0], values[0]));
    show(add(values[0], values[1]));
    struct value copy;
    memcpy(&copy, &values[2], sizeof copy);
    copy.text[0] = 'j';
    show(copy);
    show(values[2]);
    return 0;
}
