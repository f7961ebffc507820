// run: --runs 1
// char and short are promoted to int before they are added: no overflow, and the conversion back is defined by gcc.
#include <assert.h>
#include <limits.h>

int main(void) {
    signed char c = SCHAR_MAX;
    short s = SHRT_MAX;
    c = c + 1;
    s++;
    assert(c == SCHAR_MIN);
    assert(s == SHRT_MIN);
    return 0;
}
