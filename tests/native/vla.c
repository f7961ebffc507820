// Variable-length arrays: in one and two dimensions, as parameters, in loops and in recursion, and alloca.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int trace(int n, int matrix[n][n]) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += matrix[i][i];
    return sum;
}

static void multiply(int n, int m, int k, int a[n][m], int b[m][k], int c[n][k]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            c[i][j] = 0;
            for (int l = 0; l < m; l++)
                c[i][j] += a[i][l] * b[l][j];
        }
}

static int nested(int depth) {
    int local[depth + 1];
    for (int i = 0; i <= depth; i++)
        local[i] = depth * i;
    if (depth == 0)
        return local[0];
    return nested(depth - 1) + local[depth];
}

static void reverse(const char *text) {
    size_t n = strlen(text);
    char copy[n + 1];
    for (size_t i = 0; i < n; i++)
        copy[i] = text[n - 1 - i];
    copy[n] = 0;
    printf("%s %d\n", copy, (int)sizeof copy);
}

int main(void) {
    int n = 3;
    int square[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            square[i][j] = i * 10 + j;
    printf("%d %d %d\n", trace(n, square), (int)sizeof square, (int)sizeof square[0]);
    int a[2][3] = {{1, 2, 3}, {4, 5, 6}}, b[3][2] = {{7, 8}, {9, 10}, {11, 12}}, c[2][2];
    multiply(2, 3, 2, a, b, c);
    printf("%d %d %d %d\n", c[0][0], c[0][1], c[1][0], c[1][1]);
    printf("%d\n", nested(10));
    for (int size = 1; size < 40; size *= 3) {
        short window[size];
        for (int i = 0; i < size; i++)
            window[i] = (short)(i * i);
        printf("%d:%d:%d ", size, window[size - 1], (int)(sizeof window / sizeof window[0]));
    }
    printf("\n");
    reverse("variable");
    reverse("");
    int(*pointer)[n] = square;
    pointer++;
    n = 100;
    printf("%d %d\n", (*pointer)[2], (int)sizeof *pointer);
    char *scratch = alloca(16);
    strcpy(scratch, "on the stack");
    puts(scratch);
    return 0;
}
