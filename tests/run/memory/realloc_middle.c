// run: --runs 1
// A parser skips a byte and then grows the buffer by the pointer it has moved.
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(4);
    char *rest = buffer + 1;
    rest = realloc(rest, 8); //~ error[memory]
    free(rest);
    return 0;
}
