// check: --unmodelled pure --property leak
// The memory is made after the function was called, and given to nobody.
#include <stdlib.h>

extern void give(const char *text);

int main(void) {
    give("text");
    int *memory = malloc(sizeof *memory); //~ error[memory]
    *memory = 1;
    return 0;
}
