// Edit distance, longest common subsequence, knapsack, change, and Floyd's shortest paths.
#include <limits.h>
#include <stdio.h>
#include <string.h>

static int least(int a, int b) { return a < b ? a : b; }

static int distance(const char *a, const char *b) {
    int n = (int)strlen(a), m = (int)strlen(b), row[m + 1];
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int t = row[j];
            row[j] = least(least(row[j], row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = t;
        }
    }
    return row[m];
}

static void subsequence(const char *a, const char *b) {
    unsigned char table[32][32] = {{0}};
    int n = (int)strlen(a), m = (int)strlen(b);
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--)
            if (a[i] == b[j])
                table[i][j] = table[i + 1][j + 1] + 1;
            else
                table[i][j] = table[i + 1][j] > table[i][j + 1] ? table[i + 1][j] : table[i][j + 1];
    for (int i = 0, j = 0; i < n && j < m;) {
        if (a[i] == b[j]) {
            putchar(a[i]);
            i++, j++;
        } else if (table[i + 1][j] >= table[i][j + 1]) {
            i++;
        } else {
            j++;
        }
    }
    printf(" %d\n", table[0][0]);
}

static int knapsack(const int *weights, const int *values, int n, int capacity) {
    int best[capacity + 1];
    memset(best, 0, sizeof best);
    for (int i = 0; i < n; i++)
        for (int c = capacity; c >= weights[i]; c--)
            if (best[c - weights[i]] + values[i] > best[c])
                best[c] = best[c - weights[i]] + values[i];
    return best[capacity];
}

int main(void) {
    printf("%d %d %d\n", distance("kitten", "sitting"), distance("", "abc"), distance("same", "same"));
    subsequence("interleaving", "international");
    int weights[] = {12, 7, 11, 8, 9}, values[] = {24, 13, 23, 15, 16};
    printf("%d %d\n", knapsack(weights, values, 5, 26), knapsack(weights, values, 5, 6));
    unsigned long ways[101] = {1};
    int coins[] = {1, 5, 10, 25, 50};
    for (int k = 0; k < 5; k++)
        for (int i = coins[k]; i <= 100; i++)
            ways[i] += ways[i - coins[k]];
    printf("%lu\n", ways[100]);
    enum { N = 6, FAR = INT_MAX / 2 };
    int d[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            d[i][j] = i == j ? 0 : (i * 7 + j * 3) % 5 == 1 ? (i + j) * 2 + 1 : FAR;
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                d[i][j] = least(d[i][j], d[i][k] + d[k][j]);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%d%c", d[i][j] == FAR ? -1 : d[i][j], j == N - 1 ? '\n' : ' ');
    return 0;
}
