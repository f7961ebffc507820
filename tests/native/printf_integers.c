// printf's integer, character, string and pointer-free conversions with every flag, width, precision and length.
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    const int values[] = {0, 1, -1, 42, -42, 12345, -12345, 2147483647, -2147483647 - 1};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        int v = values[i];
        printf("%d|%i|%5d|%-5d|%05d|%+d|% d|%.3d|%8.4d|%-8.4d|%+08d\n", v, v, v, v, v, v, v, v, v, v, v);
        printf("%u|%x|%X|%o|%#x|%#X|%#o|%08x|%-8x|%.6x|%#10x|%#010x|%#.4o\n", v, v, v, v, v, v, v, v, v, v, v, v, v);
        printf("%hhd|%hhu|%hd|%hu|%hhx|%hx\n", v, v, v, v, v, v);
    }
    const long long wide[] = {0, -1, 9223372036854775807LL, -9223372036854775807LL - 1, 1234567890123456789LL};
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        printf("%lld|%llu|%llx|%#llo|%25lld|%-25lld|%025lld|%+.20lld\n", wide[i], wide[i], wide[i], wide[i], wide[i], wide[i],
               wide[i], wide[i]);
    printf("%ld %lu %lx %zu %zd %td %jd %ju\n", -5L, 5UL, 255UL, sizeof(int), (size_t)3, (ptrdiff_t)-4, (intmax_t)-6,
           (uintmax_t)7);
    printf("%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRId64 "\n", (int8_t)-8, (uint16_t)16, (uint32_t)0x32, (int64_t)64);
    printf("[%.0d] [%.0d] [%5.0d] [%.0x]\n", 0, 1, 0, 0);
    printf("%c%c%5c|%-5c|\n", 'a', 98, 'c', 'd');
    printf("%s|%10s|%-10s|%.3s|%10.2s|%-10.2s|%s\n", "text", "text", "text", "text", "text", "text", "");
    printf("%*d|%-*d|%*d|%.*s|%*.*s\n", 6, 1, 6, 2, -6, 3, 2, "abc", 5, 1, "xyz");
    printf("%d%%|\n", 50);
    int n = printf("counted: %d\n", 123);
    printf("%d\n", n);
    printf("%s %s\n", "a longer piece of text, to be sure that a line of more than one buffer's length is printed in full,",
           "in order and without a gap, even when the formatter works with a small buffer of its own, which it may; "
           "and so the text goes on, and on, and on, until it is long enough for every such buffer to be full.");
    printf("%300d|%-300d|\n", 1, 2);
    printf("no conversion at all\n");
    printf("%s", "");
    fprintf(stdout, "%s %d\n", "fprintf", 1);
    return 0;
}
