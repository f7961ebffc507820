// sscanf: integers in all bases and lengths, floats, strings, characters, sets, widths, suppression, counts and failures.
#include <stdio.h>
#include <string.h>

int main(void) {
    int a = -1, b = -1, c = -1, n = -1, got;
    unsigned u = 0;
    long long wide = 0;
    short s = 0;
    unsigned char small = 0;
    float f = 0;
    double d = 0;
    char word[16] = "", other[16] = "", letters[4] = "";
    got = sscanf("12 -34 0x1f", "%d %d %i", &a, &b, &c);
    printf("%d: %d %d %d\n", got, a, b, c);
    got = sscanf("ff 777 42", "%x %o %u", &u, (unsigned *)&a, (unsigned *)&b);
    printf("%d: %u %d %d\n", got, u, a, b);
    got = sscanf("123456789012345 -7 200", "%lld %hd %hhu", &wide, &s, &small);
    printf("%d: %lld %d %d\n", got, wide, s, small);
    got = sscanf("2.5 -1e3", "%f %lf", &f, &d);
    printf("%d: %g %g\n", got, f, d);
    got = sscanf("  key=value;rest", " %15[^=]=%15[a-z]%n", word, other, &n);
    printf("%d: %s %s %d\n", got, word, other, n);
    got = sscanf("abcdef", "%3c%s", letters, word);
    printf("%d: %.3s %s\n", got, letters, word);
    got = sscanf("20240131", "%4d%2d%2d", &a, &b, &c);
    printf("%d: %d %d %d\n", got, a, b, c);
    got = sscanf("1 2 3", "%*d %d %*d", &a);
    printf("%d: %d\n", got, a);
    got = sscanf("10:20", "%d-%d", &a, &b);
    printf("%d: %d\n", got, a);
    got = sscanf("x", "%d", &a);
    printf("%d\n", got);
    got = sscanf("", "%d", &a);
    printf("%d\n", got);
    got = sscanf("50%", "%d%%%n", &a, &n);
    printf("%d: %d %d\n", got, a, n);
    const char *csv = "alpha,beta,,delta";
    while (*csv) {
        word[0] = 0;
        n = 0;
        sscanf(csv, "%15[^,]%n", word, &n);
        printf("<%s>", word);
        csv += n;
        if (*csv == ',')
            csv++;
    }
    printf("\n");
    return 0;
}
