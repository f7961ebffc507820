// run: --runs 1
// As much is copied as the destination holds.
#include <string.h>

int main(void) {
    char source[16] = "a long message";
    char target[8];
    memcpy(target, source, sizeof target);
    return target[0] != 'a';
}
