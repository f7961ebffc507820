// run: --runs 1
// The str family, each once.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char text[20];
    assert(strcpy(text, "one") == text && strlen(text) == 3 && strnlen(text, 2) == 2);
    assert(strcmp(strcat(text, ",two"), "one,two") == 0);
    assert(strcmp(strncat(text, ",three", 3), "one,two,th") == 0);
    assert(strcmp("a", "b") < 0 && strcmp("b", "a") > 0 && strcmp("a", "ab") < 0);
    assert(strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0);
    assert(strcasecmp("AbC", "aBc") == 0 && strncasecmp("ABx", "aby", 2) == 0);
    assert(strchr(text, ',') == text + 3 && strrchr(text, ',') == text + 7);
    assert(strchr(text, 'z') == NULL && *strchr(text, 0) == 0);
    assert(strstr(text, "two") == text + 4 && strstr(text, "four") == NULL && strstr(text, "") == text);
    assert(strspn("aabbc", "ab") == 4 && strcspn("aabbc", "c") == 4);
    assert(*strpbrk("hello, world", ",w") == ',');
    char padded[4];
    strncpy(padded, "a", sizeof padded);
    assert(padded[1] == 0 && padded[3] == 0);
    char *copy = strdup(text), *part = strndup(text, 3);
    assert(strcmp(copy, text) == 0 && strcmp(part, "one") == 0);
    free(copy);
    free(part);
    char *rest, *token = strtok_r(text, ",", &rest);
    assert(strcmp(token, "one") == 0);
    assert(strcmp(strtok_r(NULL, ",", &rest), "two") == 0);
    assert(strcmp(strtok_r(NULL, ",", &rest), "th") == 0);
    assert(strtok_r(NULL, ",", &rest) == NULL);
    char list[] = " a  b ";
    assert(strcmp(strtok(list, " "), "a") == 0 && strcmp(strtok(NULL, " "), "b") == 0 && !strtok(NULL, " "));
    return 0;
}
