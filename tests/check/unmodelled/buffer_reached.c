// check: --unmodelled pure
// What the function can get at is behind two pointers, and is copied before it is used.
#include <assert.h>
#include <string.h>

struct device {
    int status;
};

struct bus {
    struct device *device;
};

extern void reset(struct bus *bus);

int main(void) {
    struct device device = {7}, copy;
    struct bus bus = {&device};
    reset(&bus);
    memcpy(&copy, &device, sizeof copy);
    assert(copy.status == 0); //~ error[assert]
    return 0;
}
