// check: --property reach-error
// What comes after something undefined that is not looked for is not known.
#include <stdlib.h>

void reach_error(void);

struct device {
    int state;
};

int main(void) {
    struct device *d = malloc(0);
    int state = d->state; //~ warning[undefined]
    if (state == 1)
        reach_error();
    return 0;
}
