// run: --runs 1
// Bytes without a value may be copied along, as long as nothing depends on them.
#include <string.h>

struct record {
    char tag;
    int value;
    int unused;
};

int main(void) {
    struct record a, b, c;
    a.tag = 'a';
    a.value = 5;
    b = a;
    memcpy(&c, &b, sizeof c);
    return c.value != 5;
}
