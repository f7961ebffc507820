// check:
// A format that begins in the middle of a constant, behind the end of another text.
#include <stdio.h>

static const char formats[] = "%d\n\0%s\n";

int main(void) {
    printf(formats, 1);
    printf(formats + 4, "one");
    return 0;
}
