// Every character class for every byte, and case conversion.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    for (int c = 0; c < 256; c++) {
        int classes = !!isalpha(c) | !!isdigit(c) << 1 | !!isalnum(c) << 2 | !!isspace(c) << 3 | !!isupper(c) << 4 |
                      !!islower(c) << 5 | !!ispunct(c) << 6 | !!isprint(c) << 7 | !!isgraph(c) << 8 | !!iscntrl(c) << 9 |
                      !!isxdigit(c) << 10 | !!isblank(c) << 11;
        printf("%03x%c", classes, c % 16 == 15 ? '\n' : ' ');
    }
    for (int c = 0; c < 128; c++)
        if (tolower(c) != c || toupper(c) != c)
            printf("%c%c ", tolower(c), toupper(c));
    printf("\n%d %d %d %d\n", tolower(EOF), toupper(EOF), !!isalpha(EOF), tolower(200));
    const char *text = "Hello, World 42!";
    for (const char *p = text; *p; p++)
        putchar(isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p));
    putchar('\n');
    return 0;
}
