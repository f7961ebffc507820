// Sieve, factors, perfect numbers, Fibonacci, Collatz, totients, modular inverses and Pascal's triangle.
#include <stdbool.h>
#include <stdio.h>

enum { LIMIT = 1000 };
static bool composite[LIMIT + 1];

static int inverse(int a, int m) {
    int r0 = m, r1 = a, t0 = 0, t1 = 1;
    while (r1) {
        int q = r0 / r1, r = r0 - q * r1, t = t0 - q * t1;
        r0 = r1, r1 = r, t0 = t1, t1 = t;
    }
    return r0 == 1 ? (t0 + m) % m : -1;
}

static int totient(int n) {
    int result = n;
    for (int p = 2; p * p <= n; p++)
        if (n % p == 0) {
            while (n % p == 0)
                n /= p;
            result -= result / p;
        }
    return n > 1 ? result - result / n : result;
}

int main(void) {
    int count = 0, last = 0;
    for (int i = 2; i <= LIMIT; i++)
        if (!composite[i]) {
            count++;
            last = i;
            for (int j = i * i; j <= LIMIT; j += i)
                composite[j] = true;
        }
    printf("%d %d\n", count, last);
    for (int n = 999; n < 1009; n++) {
        printf("%d =", n);
        for (int p = 2, m = n; m > 1; p++)
            for (; m % p == 0; m /= p)
                printf(" %d", p);
        printf(", totient %d, inverse of 7: %d\n", totient(n), inverse(7, n));
    }
    for (int n = 2; n < 500; n++) {
        int sum = 1;
        for (int d = 2; d * d <= n; d++)
            if (n % d == 0)
                sum += d + (d * d == n ? 0 : n / d);
        if (sum == n)
            printf("%d is perfect\n", n);
    }
    unsigned long long a = 0, b = 1;
    for (int i = 0; i < 93; i++) {
        unsigned long long c = a + b;
        a = b;
        b = c;
    }
    printf("%llu\n", a);
    int longest = 0, start = 0;
    for (unsigned n = 1; n < 300; n++) {
        int length = 0;
        for (unsigned long long x = n; x != 1; x = x % 2 ? 3 * x + 1 : x / 2)
            length++;
        if (length > longest)
            longest = length, start = (int)n;
    }
    printf("%d %d\n", start, longest);
    for (int row = 0; row < 8; row++) {
        unsigned c = 1;
        for (int k = 0; k <= row; k++) {
            printf("%u ", c);
            c = c * (unsigned)(row - k) / (unsigned)(k + 1);
        }
        printf("\n");
    }
    return 0;
}
