// Function pointers: tables, callbacks with context, pointers returned from functions, and virtual methods.
#include <stdio.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
static int divide(int a, int b) { return b ? a / b : 0; }

static const struct {
    char symbol;
    operation apply;
} table[] = {{'+', add}, {'-', subtract}, {'*', multiply}, {'/', divide}};

static operation lookup(char symbol) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].symbol == symbol)
            return table[i].apply;
    return NULL;
}

static int fold(const int *values, int n, int start, operation apply) {
    for (int i = 0; i < n; i++)
        start = apply(start, values[i]);
    return start;
}

static void each(const int *values, int n, void (*visit)(void *, int), void *context) {
    for (int i = 0; i < n; i++)
        visit(context, values[i]);
}

static void total(void *context, int value) { *(long *)context += value; }
static void show(void *context, int value) { printf("%s%d", (const char *)context, value); }

struct shape {
    const struct methods *methods;
};
struct methods {
    double (*area)(const struct shape *);
    const char *(*name)(void);
};
struct square {
    struct shape base;
    double side;
};
struct circle {
    struct shape base;
    double radius;
};

static double square_area(const struct shape *s) {
    double side = ((const struct square *)s)->side;
    return side * side;
}
static const char *square_name(void) { return "square"; }
static double circle_area(const struct shape *s) {
    double r = ((const struct circle *)s)->radius;
    return 3.0 * r * r;
}
static const char *circle_name(void) { return "circle"; }
static const struct methods square_methods = {square_area, square_name}, circle_methods = {circle_area, circle_name};

static int (*choose(int which))(int, int) { return which ? multiply : add; }

int main(void) {
    const char *symbols = "+-*/?";
    for (const char *s = symbols; *s; s++) {
        operation apply = lookup(*s);
        if (apply)
            printf("%d %c %d = %d\n", 17, *s, 5, apply(17, 5));
        else
            printf("%c is unknown\n", *s);
    }
    int values[] = {1, 2, 3, 4, 5};
    printf("%d %d\n", fold(values, 5, 0, add), fold(values, 5, 1, multiply));
    long sum = 100;
    each(values, 5, total, &sum);
    each(values, 5, show, ", ");
    printf("\n%ld\n", sum);
    struct square q = {{&square_methods}, 1.5};
    struct circle c = {{&circle_methods}, 2};
    const struct shape *shapes[] = {&q.base, &c.base};
    for (int i = 0; i < 2; i++)
        printf("%s %g\n", shapes[i]->methods->name(), shapes[i]->methods->area(shapes[i]));
    printf("%d %d\n", choose(0)(3, 4), (*choose(1))(3, 4));
    printf("%d %d\n", choose(0) == add, choose(1) == add);
    operation operations[2] = {add, subtract};
    printf("%d\n", operations[values[0]](10, 3));
    return 0;
}
