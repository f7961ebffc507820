// Old-style definitions, calls without prototype, pointers to functions in varied casts, inline, noreturn, weak and aliases.
#include <stdio.h>
#include <stdlib.h>

static int add();
static int add(a, b)
int a, b;
{ return a + b; }

static inline int square(int x) { return x * x; }
__attribute__((noinline)) static int cube(int x) { return x * square(x); }
__attribute__((weak)) int weak_default(void) { return 5; }
int original(int x) { return x + 100; }
int other_name(int x) __attribute__((alias("original")));
extern int not_there(void) __attribute__((weak));

typedef void (*generic)(void);

static generic erase(int (*f)(int)) { return (generic)f; }

_Noreturn static void leave(int status) {
    printf("leaving with %d\n", status);
    exit(status);
}

__attribute__((constructor)) static void before(void) { printf("before main\n"); }
__attribute__((destructor)) static void after(void) { printf("after main\n"); }

int main(int argc, char **argv) {
    printf("%d %d\n", argc, argv[argc] == NULL);
    printf("%d %d %d\n", add(1, 2), cube(3), weak_default());
    printf("%d\n", other_name(1));
    printf("%d\n", not_there == NULL);
    generic g = erase(cube);
    printf("%d\n", ((int (*)(int))g)(4));
    if (argc > 0)
        leave(3);
    return 0;
}
