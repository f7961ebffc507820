// check:
// The ledger names the undefined behaviour that nobody looks for, where the program could have it.
#include <threadproof.h>

static int rows[2][4];
static char bytes[8];

int main(void) {
    unsigned column = tp_input_uchar("column") % 4, row = tp_input_uchar("row") % 2;
    rows[row][column] = 1 << column;
    *(short *)(bytes + 2 * row) = 1;
    return 0;
}
