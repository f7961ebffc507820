// check:
// An empty template with an operand in memory and one in a register: both keep their values.
#include <assert.h>

int main(void)
{
    int x = 1, y = 2;
    __asm__ volatile("" : "+m"(x), "+r"(y));
    assert(x == 1 && y == 2);
}
