// _Generic, _Static_assert, _Alignas, typeof, statement expressions and other operators that are decided at compile time.
#include <stdalign.h>
#include <stdio.h>

#define NAME(x) \
    _Generic((x), char: "char", signed char: "signed char", unsigned char: "unsigned char", short: "short", int: "int", \
        unsigned: "unsigned", long: "long", float: "float", double: "double", char *: "char *", const char *: "const char *", \
        int *: "int *", void *: "void *", default: "another type")
#define ABSOLUTE(x) _Generic((x), int: absolute_int, double: absolute_double)(x)
#define MAXIMUM(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define JOIN(a, b) a##b
#define TEXT(x) #x

_Static_assert(sizeof(char) == 1, "char is a byte");

static int absolute_int(int x) { return x < 0 ? -x : x; }
static double absolute_double(double x) { return x < 0 ? -x : x; }

struct thing {
    int JOIN(mem, ber);
};

int main(void) {
    char c = 0;
    short s = 0;
    int i = -4, array[7];
    const char *text = "t";
    printf("%s %s %s %s %s\n", NAME(c), NAME(s), NAME(i), NAME(1.0f), NAME(2.0));
    printf("%s %s %s %s %s\n", NAME(text), NAME(&i), NAME((void *)0), NAME(array), NAME(c + c));
    printf("%s %s\n", NAME(main), NAME('x'));
    printf("%d %g\n", ABSOLUTE(i), ABSOLUTE(-2.5));
    int calls = 0;
    printf("%d ", MAXIMUM(++calls, 0));
    printf("%d %g\n", calls, MAXIMUM(1.5, 0.5));
    printf("%d %s\n", (int)COUNT(array), TEXT(a + b));
    struct thing t = {.member = 5};
    printf("%d\n", t.member);
    alignas(32) char buffer[3];
    printf("%d %d\n", (int)((__UINTPTR_TYPE__)buffer % 32), (int)alignof(int));
    printf("%d\n", (int)sizeof(i++) + i);
    enum colour { RED, GREEN = 5, BLUE, LAST = BLUE + 10 } colour = BLUE;
    printf("%d %d %d %d\n", RED, GREEN, colour, LAST);
    printf("%s\n", __func__);
    printf("%d %d\n", __builtin_types_compatible_p(int, signed), __builtin_constant_p(3) ? 1 : 0);
    printf("%d\n", __builtin_choose_expr(1, 10, 20));
    printf("%d\n", __builtin_expect(i == -4, 1) ? 1 : 0);
    int overflowed, r;
    overflowed = __builtin_add_overflow(2147483647, 1, &r);
    printf("%d %d\n", overflowed, r);
    overflowed = __builtin_mul_overflow(1000, 1000, &r);
    printf("%d %d\n", overflowed, r);
    unsigned u;
    printf("%d\n", __builtin_sub_overflow(1u, 2u, &u));
    printf("%u\n", u);
    return 0;
}
