// check: --unmodelled pure --property leak
// The function may keep the memory that it is given, or free it.
#include <stdlib.h>

extern void give(int *memory);

int main(void) {
    int *memory = malloc(sizeof *memory); //~ error[memory]
    give(memory);
    return 0;
}
