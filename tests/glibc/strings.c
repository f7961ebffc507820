// Strings, memory, characters, sorting.
#include "calls.h"
#include <ctype.h>
#include <strings.h>

static int sign(int n) { return (n > 0) - (n < 0); }
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static const char *rest(const char *s, const char *p) { return p ? p : (void)s, p; }

static void *kept[16];
static int keeps;
static void *keep(void *p) { return kept[keeps++] = p; } // so that nothing is lost

int main(void) {
    char b[32] = "";
    const char *s = "hello, world";
    INT(strlen("")); INT(strnlen("abc", 2)); INT(strnlen("abc", 9)); INT(strnlen("", 0));
    INT(sign(strcmp("a", "b"))); INT(sign(strcmp("", ""))); INT(sign(strcmp("\xff", "a"))); INT(sign(strcmp("ab", "a")));
    INT(sign(strncmp("abc", "abd", 2))); INT(sign(strncmp("abc", "abd", 3))); INT(sign(strncmp("a", "b", 0)));
    INT(sign(strncmp("a\0x", "a\0y", 3)));
    INT(sign(strcasecmp("HeLLo", "hEllO"))); INT(sign(strcasecmp("a", "B"))); INT(sign(strncasecmp("ABC", "abd", 2)));
    INT(sign(memcmp("a\0b", "a\0c", 3))); INT(sign(memcmp("\x80", "\x7f", 1))); INT(sign(memcmp("a", "b", 0)));
    TEXT(rest(s, strchr(s, 'o'))); TEXT(strchr(s, 'z')); TEXT(strchr(s, 0)); TEXT(strrchr(s, 'o')); TEXT(strrchr(s, 0));
    TEXT(strchrnul(s, 'z')); TEXT(strstr(s, "world")); TEXT(strstr(s, "")); TEXT(strstr("", "a")); TEXT(strstr("aaab", "aab"));
    TEXT(strcasestr(s, "WORLD")); TEXT(strpbrk(s, "xyzw")); TEXT(strpbrk(s, "")); INT(strspn(s, "helo")); INT(strspn(s, ""));
    INT(strcspn(s, ",")); INT(strcspn(s, "")); INT(strcspn("", "a"));
    TEXT((char *)memchr(s, 'w', 12)); TEXT((char *)memchr(s, 'w', 3)); TEXT((char *)memrchr(s, 'o', 12));
    TEXT((char *)memmem(s, 12, "lo", 2)); TEXT((char *)memmem(s, 12, "", 0)); TEXT((char *)memmem(s, 3, "lo", 2));
    TEXT(strcpy(b, "abc")); TEXT(strcat(b, "def")); TEXT(strncat(b, "ghijk", 2)); TEXT(strncat(b, "x", 0));
    memset(b, '#', sizeof b);
    strncpy(b, "ab", 5);
    INT(b[2]); INT(b[4]); INT(b[5]);
    TEXT(stpcpy(b, "one")); TEXT(b); INT(stpncpy(b, "abcdef", 3) - b); INT(stpncpy(b, "a", 3) - b);
    strcpy(b, "0123456789");
    TEXT((char *)memmove(b + 2, b, 5)); TEXT(b); TEXT((char *)memmove(b, b + 2, 5)); TEXT(b);
    INT((char *)mempcpy(b, "xy", 2) - b); INT((char *)memccpy(b, "a,b", ',', 3) - b); INT(memccpy(b, "ab", ',', 2) == NULL);
    char list[] = ",,a,b;;c,";
    char *place;
    TEXT(strtok_r(list, ",;", &place)); TEXT(strtok_r(NULL, ",;", &place)); TEXT(strtok_r(NULL, ",;", &place));
    TEXT(strtok_r(NULL, ",;", &place)); TEXT(strtok_r(NULL, ",;", &place));
    char fields[] = "a,,b", *at = fields;
    TEXT(strsep(&at, ",")); TEXT(strsep(&at, ",")); TEXT(strsep(&at, ",")); TEXT(strsep(&at, ","));
    TEXT(keep(strdup(""))); TEXT(keep(strdup("xyz"))); TEXT(keep(strndup("xyz", 2))); TEXT(keep(strndup("x", 9)));
    INT(ffs(0)); INT(ffs(-2147483647 - 1)); INT(ffs(12));
    const int probes[] = {-1, 0, 9, 11, 31, ' ', '0', '9', ':', 'A', 'F', 'G', 'Z', '_', 'a', 'g', 'z', '~', 127, 128, 255};
    for (size_t i = 0; i < COUNT(probes); i++) {
        int c = probes[i];
        printf("call classes of %d = %d%d%d%d%d%d%d%d%d%d%d%d\n", c, !!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c),
               !!isupper(c), !!islower(c), !!isxdigit(c), !!ispunct(c), !!iscntrl(c), !!isprint(c), !!isgraph(c), !!isblank(c));
        printf("call tolower, toupper of %d = %d %d\n", c, tolower(c), toupper(c));
    }
    int numbers[] = {3, -1, 2, 2, 9, 0}, wanted = 9, missing = 4;
    qsort(numbers, COUNT(numbers), sizeof *numbers, by_value);
    for (size_t i = 0; i < COUNT(numbers); i++)
        INT(numbers[i]);
    qsort(numbers, 0, sizeof *numbers, by_value);
    INT((int *)bsearch(&wanted, numbers, COUNT(numbers), sizeof *numbers, by_value) - numbers);
    INT(bsearch(&missing, numbers, COUNT(numbers), sizeof *numbers, by_value) == NULL);
    INT(bsearch(&missing, numbers, 0, sizeof *numbers, by_value) == NULL);
    void *p = NULL;
    INT(posix_memalign(&p, 3, 8)); INT(posix_memalign(&p, 2, 8)); INT(posix_memalign(&p, 64, 8)); INT((size_t)keep(p) % 64);
    FAILS(calloc((size_t)-1, 2) == NULL); FAILS(reallocarray(NULL, (size_t)-1, 2) == NULL);
    INT(keep(calloc(3, 4)) != NULL); INT(*(int *)keep(calloc(1, 4)));
    return 0;
}
