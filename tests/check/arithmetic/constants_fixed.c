// check: --property arithmetic,overflow
// Operations on constants that go wrong where nobody gets to, or do not go wrong.
#include <limits.h>
#include <threadproof.h>

static long long of_each_kind(unsigned kind) {
    switch (kind) {
    case 0: return INT_MAX - 1 + (long)sizeof(INT_MAX + 1);
    case 1: return kind > 1 ? 1 / 0 : 1 << 4;
    case 2: return kind < 2 ? INT_MAX + 1 : (unsigned char)200.0;
    default: return 0;
    }
}

int main(void) {
    return (int)(of_each_kind(tp_input_uint("kind")) != 7);
}
