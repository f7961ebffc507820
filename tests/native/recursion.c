// Recursion: Ackermann, Hanoi, permutations, queens, mutual recursion, and a deep but bounded chain.
#include <stdio.h>

static int ackermann(int m, int n) {
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int hanoi(int n, char from, char to, char spare, int *moves) {
    if (n == 0)
        return *moves;
    hanoi(n - 1, from, spare, to, moves);
    if (++*moves <= 5)
        printf("%c>%c ", from, to);
    return hanoi(n - 1, spare, to, from, moves);
}

static void permute(char *text, int k) {
    if (!text[k]) {
        printf("%s ", text);
        return;
    }
    for (int i = k; text[i]; i++) {
        char t = text[k];
        text[k] = text[i];
        text[i] = t;
        permute(text, k + 1);
        t = text[k];
        text[k] = text[i];
        text[i] = t;
    }
}

static int queens(int n, int row, unsigned columns, unsigned left, unsigned right) {
    if (row == n)
        return 1;
    int count = 0;
    for (int c = 0; c < n; c++) {
        unsigned bit = 1u << c;
        if (!(columns & bit) && !(left & bit) && !(right & bit))
            count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static long depth(int n, const int *above) {
    int here = n;
    if (n == 0)
        return *above;
    return depth(n - 1, &here) + *above % 3;
}

static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

int main(void) {
    printf("%d %d\n", ackermann(2, 3), ackermann(1, 10));
    int moves = 0;
    printf("= %d\n", hanoi(6, 'a', 'c', 'b', &moves));
    char text[] = "abcd";
    permute(text, 0);
    printf("\n%d %d %d\n", queens(4, 0, 0, 0, 0), queens(5, 0, 0, 0, 0), queens(6, 0, 0, 0, 0));
    printf("%d %d\n", is_even(100), is_odd(77));
    int start = 5;
    printf("%ld\n", depth(2000, &start));
    printf("%d %d\n", gcd(1071, 462), gcd(17, 5));
    return 0;
}
