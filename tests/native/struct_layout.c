// Sizes, alignments and offsets of members, nested and packed; both data models have their own numbers.
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>

struct mixed {
    char a;
    short b;
    char c;
    int d;
    char e;
    double f;
    char g;
    long long h;
    char i;
    void *j;
    char k;
};
struct nested {
    char tag;
    struct {
        int x;
        char y;
    } inner[3];
    union {
        char c;
        long l;
        double d;
    } u;
    char last;
};
struct __attribute__((packed)) packed {
    char a;
    int b;
    short c;
    double d;
};
struct aligned {
    char a;
    alignas(16) int b;
    char c;
};
struct trailing {
    long long x;
    char y;
};
struct empty_array {
    int n;
    char data[];
};

#define SHOW(type, member) printf("%s.%s %d\n", #type, #member, (int)offsetof(struct type, member))

int main(void) {
    SHOW(mixed, a), SHOW(mixed, b), SHOW(mixed, c), SHOW(mixed, d), SHOW(mixed, e), SHOW(mixed, f);
    SHOW(mixed, g), SHOW(mixed, h), SHOW(mixed, i), SHOW(mixed, j), SHOW(mixed, k);
    SHOW(nested, inner), SHOW(nested, inner[1].y), SHOW(nested, u), SHOW(nested, last);
    SHOW(packed, b), SHOW(packed, c), SHOW(packed, d);
    SHOW(aligned, b), SHOW(aligned, c);
    SHOW(empty_array, data);
    printf("%d %d %d %d %d %d\n", (int)sizeof(struct mixed), (int)sizeof(struct nested), (int)sizeof(struct packed),
           (int)sizeof(struct aligned), (int)sizeof(struct trailing), (int)sizeof(struct empty_array));
    printf("%d %d %d %d\n", (int)alignof(struct mixed), (int)alignof(struct packed), (int)alignof(struct aligned),
           (int)alignof(struct trailing));
    struct packed p = {'a', 0x01020304, 5, 2.5};
    const unsigned char *bytes = (const unsigned char *)&p;
    for (size_t i = 0; i < sizeof p; i++)
        printf("%02x", bytes[i]);
    printf("\n");
    p.b += 7;
    p.d *= p.c;
    printf("%x %g\n", p.b, p.d);
    struct nested n = {.tag = 't', .inner = {[1] = {5, 'y'}}, .last = 'l'};
    struct nested m = n;
    m.inner[1].x++;
    printf("%d %d %c %c %c\n", n.inner[1].x, m.inner[1].x, m.inner[1].y, m.tag, m.last);
    printf("%d\n", (int)((char *)&m.inner[2] - (char *)&m));
    return 0;
}
