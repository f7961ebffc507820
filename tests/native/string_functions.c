// The string library on ordinary and edge-case arguments.
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

static void at(const char *text, const char *found) {
    if (found)
        printf("%d ", (int)(found - text));
    else
        printf("none ");
}

int main(void) {
    const char *words[] = {"", "a", "ab", "abc", "abd", "b", "ABC", "\xff", "abcabc"};
    enum { N = sizeof words / sizeof words[0] };
    for (int i = 0; i < N; i++) {
        printf("%d:", (int)strlen(words[i]));
        for (int j = 0; j < N; j++)
            printf(" %d%d%d", sign(strcmp(words[i], words[j])), sign(strncmp(words[i], words[j], 2)),
                   sign(strcasecmp(words[i], words[j])));
        printf("\n");
    }
    const char *text = "the cat sat on the mat";
    at(text, strchr(text, 't')), at(text, strrchr(text, 't')), at(text, strchr(text, 'z')), at(text, strchr(text, 0));
    at(text, strstr(text, "the")), at(text, strstr(text, "the m")), at(text, strstr(text, "matt")), at(text, strstr(text, ""));
    at(text, strpbrk(text, "xyzc")), at(text, strpbrk(text, "qwz")), at(text, memchr(text, 's', 22));
    at(text, memchr(text, 's', 5));
    printf("\n%d %d %d %d\n", (int)strspn(text, "eht "), (int)strcspn(text, "s"), (int)strspn(text, ""),
           (int)strcspn(text, ""));
    char buffer[32];
    memset(buffer, '.', sizeof buffer);
    strncpy(buffer, "abc", 6);
    printf("%d %d %c\n", buffer[3], buffer[5], buffer[6]);
    strncpy(buffer, "abcdefgh", 4);
    printf("%.6s\n", buffer);
    strcpy(buffer, "one");
    strcat(buffer, "+two");
    strncat(buffer, "+three+four", 6);
    printf("%s %d\n", buffer, (int)strnlen(buffer, 5));
    char line[] = "  key = value ; other=  thing;;last";
    for (char *part = strtok(line, ";"); part; part = strtok(NULL, ";"))
        printf("<%s>", part);
    printf("\n");
    char nested[] = "a b,c d e,,f", *outer_rest, *inner_rest;
    for (char *o = strtok_r(nested, ",", &outer_rest); o; o = strtok_r(NULL, ",", &outer_rest)) {
        for (char *i = strtok_r(o, " ", &inner_rest); i; i = strtok_r(NULL, " ", &inner_rest))
            printf("(%s)", i);
        printf("/");
    }
    printf("\n%d %d %d\n", sign(memcmp("abc\0x", "abc\0y", 5)), sign(memcmp("b", "a", 1)), memcmp("x", "y", 0));
    char overlap[] = "0123456789";
    memmove(overlap + 3, overlap, 6);
    printf("%s ", overlap);
    memmove(overlap, overlap + 3, 6);
    printf("%s ", overlap);
    memmove(overlap + 1, overlap + 1, 3);
    printf("%s\n", overlap);
    memset(overlap, 'x', 4);
    memcpy(overlap + 6, "yz", 2);
    printf("%s\n", overlap);
    return 0;
}
