// Arbitrary-precision arithmetic on 32-bit limbs: factorials, powers, division by a word, decimal output.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LIMBS = 32 };
struct big {
    uint32_t limb[LIMBS];
    int used;
};

static struct big from(uint32_t value) { return (struct big){{value}, value != 0}; }

static void multiply_by(struct big *b, uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < b->used; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        b->limb[b->used++] = (uint32_t)carry;
}

static uint32_t divide_by(struct big *b, uint32_t divisor) {
    uint64_t rest = 0;
    for (int i = b->used; i-- > 0;) {
        rest = rest << 32 | b->limb[i];
        b->limb[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (b->used && !b->limb[b->used - 1])
        b->used--;
    return (uint32_t)rest;
}

static struct big add(const struct big *a, const struct big *b) {
    struct big r = {.used = 0};
    uint64_t carry = 0;
    int n = a->used > b->used ? a->used : b->used;
    for (int i = 0; i < n || carry; i++) {
        carry += (uint64_t)a->limb[i] + b->limb[i];
        r.limb[i] = (uint32_t)carry;
        carry >>= 32;
        r.used = i + 1;
    }
    return r;
}

static struct big multiply(const struct big *a, const struct big *b) {
    struct big r = {.used = 0};
    for (int i = 0; i < a->used; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->used || carry; j++) {
            carry += r.limb[i + j] + (uint64_t)a->limb[i] * (j < b->used ? b->limb[j] : 0);
            r.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
            if (i + j >= r.used)
                r.used = i + j + 1;
        }
    }
    return r;
}

static void show(struct big b) {
    char digits[LIMBS * 10 + 1];
    char *p = digits + sizeof digits;
    *--p = 0;
    if (!b.used)
        *--p = '0';
    while (b.used) {
        uint32_t part = divide_by(&b, 1000000000);
        for (int i = 0; i < 9 && (b.used || part); i++, part /= 10)
            *--p = (char)('0' + part % 10);
    }
    puts(p);
}

int main(void) {
    struct big f = from(1);
    for (uint32_t i = 2; i <= 60; i++) {
        multiply_by(&f, i);
        if (i % 10 == 0)
            show(f);
    }
    struct big two = from(2), power = from(1);
    for (int bit = 8; bit-- > 0;) {
        power = multiply(&power, &power);
        if (200 >> bit & 1)
            power = multiply(&power, &two);
    }
    show(power);
    struct big a = from(0), b = from(1);
    for (int i = 0; i < 300; i++) {
        struct big c = add(&a, &b);
        a = b;
        b = c;
    }
    show(a);
    printf("%u\n", divide_by(&a, 1000003));
    show(a);
    show(from(0));
    return 0;
}
