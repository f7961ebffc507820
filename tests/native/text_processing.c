// UTF-8, word counts, line wrapping, columns, palindromes, and a tiny pattern matcher.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int decode(const char **text) {
    const unsigned char *p = (const unsigned char *)*text;
    int n = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
    int code = n == 1 ? *p : *p & (0xff >> (n + 1));
    for (int i = 1; i < n; i++)
        code = code << 6 | (p[i] & 0x3f);
    *text += n;
    return code;
}

static void wrap(const char *text, int width) {
    int column = 0;
    while (*text) {
        int n = (int)strcspn(text, " ");
        if (column && column + 1 + n > width) {
            printf("|\n");
            column = 0;
        }
        column += printf(column ? " %.*s" : "%.*s", n, text);
        text += n;
        text += strspn(text, " ");
    }
    printf("|\n");
}

static int match(const char *pattern, const char *text) {
    if (!*pattern)
        return !*text;
    if (*pattern == '*')
        return match(pattern + 1, text) || (*text && match(pattern, text + 1));
    return *text && (*pattern == '?' || *pattern == *text) && match(pattern + 1, text + 1);
}

static int palindrome(const char *text) {
    const char *end = text + strlen(text);
    while (text < end) {
        if (!isalpha((unsigned char)*text))
            text++;
        else if (!isalpha((unsigned char)end[-1]))
            end--;
        else if (tolower((unsigned char)*text++) != tolower((unsigned char)*--end))
            return 0;
    }
    return 1;
}

int main(void) {
    const char *utf8 = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z";
    while (*utf8)
        printf("U+%04X ", (unsigned)decode(&utf8));
    printf("\n");
    const char *text = "a lock is held by one thread at a time and a thread that wants a lock that is held waits for it";
    wrap(text, 20);
    wrap(text, 33);
    struct {
        char word[12];
        int count;
    } words[32];
    int n = 0;
    for (const char *p = text; *p; p += strspn(p, " ")) {
        char word[12];
        sscanf(p, "%11s", word);
        p += strlen(word);
        int i = 0;
        while (i < n && strcmp(words[i].word, word))
            i++;
        if (i == n) {
            strcpy(words[n].word, word);
            words[n++].count = 0;
        }
        words[i].count++;
    }
    for (int i = 0; i < n; i++)
        if (words[i].count > 1)
            printf("%-8s%3d\n", words[i].word, words[i].count);
    printf("%d %d %d %d\n", match("*.c", "main.c"), match("a?c*", "abcdef"), match("*x*", "abc"), match("", ""));
    printf("%d %d %d\n", palindrome("A man, a plan, a canal: Panama"), palindrome("ab"), palindrome(""));
    int a, b;
    char rest[8];
    int got = sscanf("12,-7 end", "%d,%d %7s", &a, &b, rest);
    printf("%d %d %d %s\n", got, a, b, rest);
    return 0;
}
