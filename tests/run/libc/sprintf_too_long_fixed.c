// run: --runs 1
// snprintf cuts what does not fit.
#include <stdio.h>

int main(void) {
    char text[8];
    snprintf(text, sizeof text, "item %d", 1234);
    return text[0] != 'i';
}
