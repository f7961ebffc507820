// run: --runs 1
// More is copied than the destination holds.
#include <string.h>

int main(void) {
    char source[16] = "a long message";
    char target[8];
    memcpy(target, source, sizeof source); //~ error[memory]
    return target[0] != 'a';
}
