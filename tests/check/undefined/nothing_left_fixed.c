// check:
// An array of structures has none of it.
#include <threadproof.h>

struct point {
    char name;
    int x;
    double y;
};

static struct point points[4];

int main(void) {
    unsigned i = tp_input_uchar("i") % 4;
    points[i].x = 1;
    points[i].y = points[i].x;
    points[3].name = 'p';
    return 0;
}
