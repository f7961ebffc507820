// run: --runs 1
// Output of the program goes to standard output, before the verdict.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[16];
    printf("%d %5u|%-5d|%05d %x %#o %c %s %.2s %%\n", -1, 2u, 3, 4, 255, 8, 'c', "string", "cut");
    printf("%ld %lld %zu %hhd %.3f %g\n", 1L, 2LL, sizeof(char), (signed char)-3, 0.5, 1e10);
    printf("%*d %.*s\n", 4, 7, 1, "xy");
    int written = snprintf(line, sizeof line, "%s-%d", "a text that is too long", 5);
    printf("%d %s\n", written, line);
    sprintf(line, "%s", "short");
    puts(line);
    putchar('!');
    putchar('\n');
    fputs("fputs\n", stdout);
    fprintf(stdout, "fprintf %d\n", 1);
    fwrite("fwrite\n", 1, strlen("fwrite\n"), stdout);
    fflush(stdout);
    return 0;
}
