// run: --runs 1
// memcpy, memmove, memset, memcmp, memchr.
#include <assert.h>
#include <string.h>

int main(void) {
    char text[16] = "0123456789";
    memmove(text + 2, text, 5);
    assert(strcmp(text, "0101234789") == 0);
    memmove(text, text + 2, 5);
    assert(strcmp(text, "0123434789") == 0);
    memset(text + 1, '-', 3);
    assert(strcmp(text, "0---434789") == 0);
    char copy[16];
    assert(memcpy(copy, text, sizeof copy) == copy);
    assert(memcmp(copy, text, sizeof copy) == 0);
    copy[3] = '\xff';
    assert(memcmp(copy, text, 3) == 0 && memcmp(copy, text, 4) > 0);
    assert(memchr(text, '4', 10) == text + 4 && memchr(text, '4', 4) == NULL);
    return 0;
}
