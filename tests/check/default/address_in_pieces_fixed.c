// check:
// The only pointer to some memory lies across two words: whether that keeps it from being lost is not decided, and said.
#include <stdlib.h>
#include <string.h>

char buffer[9];

int main(void) {
    int *p = malloc(sizeof *p);
    memcpy(buffer + 1, &p, sizeof p);
    return 0;
}
