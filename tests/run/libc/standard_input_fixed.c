// run: --runs 50 --seed 1
// Standard input is an input: a line that fgets reads is a string that fits the buffer.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[8];
    if (fgets(line, sizeof line, stdin))
        assert(strlen(line) < sizeof line);
    int c = getchar();
    assert(c == EOF || (c >= 0 && c <= 255));
    return 0;
}
