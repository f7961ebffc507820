// Structs of many shapes passed and returned by value: small, medium, large, mixed integers and floats.
#include <stdio.h>

struct c1 { char a; };
struct c3 { char a, b, c; };
struct i1 { int a; };
struct i2 { int a, b; };
struct i3 { int a, b, c; };
struct l2 { long long a, b; };
struct big { int a[10]; double d; };
struct f1 { float a; };
struct f2 { float a, b; };
struct f3 { float a, b, c; };
struct d1 { double a; };
struct d2 { double a, b; };
struct d3 { double a, b, c; };
struct id { int a; double b; };
struct di { double a; int b; };
struct fif { float a; int b; float c; };
struct cd { char a; double b; };
struct nest { struct f2 f; struct i2 i; };
struct pc { char *p; char c; };

static struct c1 fc1(struct c1 x) { x.a++; return x; }
static struct c3 fc3(struct c3 x) { struct c3 r = {x.c, x.a, x.b}; return r; }
static struct i1 fi1(struct i1 x) { x.a *= 2; return x; }
static struct i2 fi2(struct i2 x, struct i2 y) { return (struct i2){x.a + y.b, x.b - y.a}; }
static struct i3 fi3(struct i3 x) { return (struct i3){x.c, x.b, x.a}; }
static struct l2 fl2(struct l2 x, int by) { x.a += by; x.b -= by; return x; }
static struct big fbig(struct big x, int k) { for (int i = 0; i < 10; i++) x.a[i] *= k; x.d /= k; return x; }
static struct f1 ff1(struct f1 x) { x.a /= 3; return x; }
static struct f2 ff2(struct f2 x) { return (struct f2){x.b, x.a}; }
static struct f3 ff3(struct f3 x, float k) { x.a *= k; x.b *= k; x.c *= k; return x; }
static struct d1 fd1(struct d1 x) { x.a = -x.a; return x; }
static struct d2 fd2(struct d2 x, struct d2 y) { return (struct d2){x.a * y.a - x.b * y.b, x.a * y.b + x.b * y.a}; }
static struct d3 fd3(struct d3 x) { return (struct d3){x.b, x.c, x.a}; }
static struct id fid(struct id x) { x.a++; x.b += 0.5; return x; }
static struct di fdi(struct di x) { x.a *= x.b; x.b--; return x; }
static struct fif ffif(struct fif x) { float t = x.a; x.a = x.c; x.c = t; x.b = -x.b; return x; }
static struct cd fcd(int n, struct cd x, double y) { x.a += n; x.b += y; return x; }
static struct nest fnest(struct nest x) { x.f = ff2(x.f); x.i = fi2(x.i, x.i); return x; }
static struct pc fpc(struct pc x) { x.p++; x.c = *x.p; return x; }

static double many(int a, struct d2 b, struct i2 c, double d, struct big e, char f, struct id g, long long h, float i,
                   struct c3 j, struct l2 k) {
    return a + b.a + b.b + c.a + c.b + d + e.a[9] + e.d + f + g.a + g.b + h + i + j.a + j.b + j.c + k.a + k.b;
}

int main(void) {
    struct c1 a = fc1((struct c1){'a'});
    struct c3 b = fc3((struct c3){'x', 'y', 'z'});
    struct i1 c = fi1((struct i1){21});
    struct i2 d = fi2((struct i2){1, 2}, (struct i2){3, 4});
    struct i3 e = fi3((struct i3){1, 2, 3});
    struct l2 f = fl2((struct l2){1LL << 40, -1}, 5);
    struct big g = fbig((struct big){{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 12.0}, 3);
    printf("%c %c%c%c %d %d %d\n", a.a, b.a, b.b, b.c, c.a, d.a, d.b);
    printf("%d %d %d %lld %lld %d %g\n", e.a, e.b, e.c, f.a, f.b, g.a[9], g.d);
    printf("%.6f\n", ff1((struct f1){1.0f}).a);
    struct f2 h = ff2((struct f2){1.5f, 2.5f});
    struct f3 i = ff3((struct f3){1, 2, 3}, 0.5f);
    struct d2 j = fd2((struct d2){1, 2}, (struct d2){3, 4});
    struct d3 k = fd3((struct d3){1, 2, 3});
    printf("%g %g %g %g %g %g %g\n", h.a, h.b, i.a, i.b, i.c, j.a, j.b);
    printf("%g %g %g %g\n", fd1((struct d1){4}).a, k.a, k.b, k.c);
    struct id l = fid((struct id){1, 2});
    struct di m = fdi((struct di){1.5, 4});
    struct fif n = ffif((struct fif){1, 2, 3});
    struct cd o = fcd(1, (struct cd){'A', 0.25}, 0.5);
    struct nest p = fnest((struct nest){{1, 2}, {3, 4}});
    printf("%d %g %g %d %g %d %g %c %g\n", l.a, l.b, m.a, m.b, n.a, n.b, n.c, o.a, o.b);
    printf("%g %g %d %d\n", p.f.a, p.f.b, p.i.a, p.i.b);
    char text[] = "pq";
    printf("%c\n", fpc((struct pc){text, 0}).c);
    printf("%g\n", many(1, j, d, 2.5, g, 3, l, 1LL << 33, 0.5f, (struct c3){1, 2, 3}, (struct l2){-1, -2}));
    struct i2 (*pointer)(struct i2, struct i2) = fi2;
    printf("%d\n", pointer(d, (struct i2){10, 20}).a);
    return 0;
}
