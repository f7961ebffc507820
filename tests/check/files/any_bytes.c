// check: --file header=?2
// A file of any two bytes: the length in its first byte may be larger than what follows.
#include <stdio.h>

int main(void) {
    unsigned char bytes[2];
    int table[4] = {0};
    FILE *f = fopen("header", "rb");
    if (!f || fread(bytes, 1, 2, f) != 2)
        return 1;
    fclose(f);
    if (bytes[0] < 4)
        table[bytes[0]] = 1;
    return table[bytes[1] & 7]; //~ error[memory]
}
