// check: --unmodelled pure --property assert
// The function could have written both variables, each in its own way.
#include <assert.h>

void unknown(void);

int a = 1, b = 2;

int main(void)
{
    unknown();
    assert(a == b); //~ error[assert]
    return 0;
}
