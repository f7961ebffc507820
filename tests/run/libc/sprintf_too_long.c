// run: --runs 1
// The formatted number does not fit the buffer.
#include <stdio.h>

int main(void) {
    char text[8];
    sprintf(text, "item %d", 1234); //~ error[memory]
    return text[0] != 'i';
}
