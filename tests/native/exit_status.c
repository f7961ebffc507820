// The value that main returns is the exit status.
#include <stdio.h>

int main(void) {
    puts("about to return 42");
    return 42;
}
