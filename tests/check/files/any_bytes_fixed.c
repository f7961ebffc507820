// check: --file header=?2
// A file of any two bytes, and no third.
#include <assert.h>
#include <stdio.h>

int main(void) {
    unsigned char bytes[2];
    int table[4] = {0};
    FILE *f = fopen("header", "rb");
    if (!f || fread(bytes, 1, 2, f) != 2)
        return 1;
    assert(fgetc(f) == EOF && feof(f));
    fclose(f);
    return table[bytes[1] & 3];
}
