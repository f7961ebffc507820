// Static local variables, separate per function, shared over calls and recursion; tentative definitions; extern inside a block.
#include <stdio.h>

static int tentative;
static int tentative;
int shared = 3;

static int next(void) {
    static int counter = 100;
    return counter++;
}

static int other(void) {
    static int counter;
    counter += 2;
    return counter;
}

static const char *name(int i) {
    static const char *const names[] = {"a", "b", "c"};
    static char buffer[8];
    buffer[0] = names[i % 3][0];
    buffer[1] = (char)('0' + i);
    buffer[2] = 0;
    return buffer;
}

static int depth(int n) {
    static int deepest;
    if (n > deepest)
        deepest = n;
    if (n < 5)
        depth(n + 1);
    return deepest;
}

static int *accumulate(int x) {
    static int sums[2];
    sums[0] += x;
    sums[1] += x * x;
    return sums;
}

int main(void) {
    for (int i = 0; i < 3; i++)
        printf("%d %d %s\n", next(), other(), name(i));
    printf("%d", depth(2));
    printf(" %d\n", depth(7));
    for (int i = 1; i < 5; i++)
        accumulate(i);
    printf("%d %d\n", accumulate(0)[0], accumulate(0)[1]);
    tentative++;
    {
        extern int shared;
        int tentative = 50;
        shared += tentative;
    }
    for (int i = 0; i < 2; i++) {
        static int in_loop = 7;
        int fresh = 7;
        printf("%d %d\n", in_loop++, fresh++);
    }
    printf("%d %d\n", tentative, shared);
    return 0;
}
