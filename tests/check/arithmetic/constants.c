// check: --all --property arithmetic,overflow
// Operations on constants go wrong like any others, each where it is reached.
#include <limits.h>
#include <threadproof.h>

static const int most = INT_MAX;

static long long of_each_kind(unsigned kind) {
    switch (kind) {
    case 0: return most + 1; //~ error[overflow]
    case 1: return LLONG_MIN - 1; //~ error[overflow]
    case 2: return 65536 * 65536; //~ error[overflow]
    case 3: return -INT_MIN; //~ error[overflow]
    case 4: return INT_MIN / -1; //~ error[overflow]
    case 5: return 1 / 0; //~ error[arithmetic]
    case 6: return 1u << 32; //~ error[arithmetic]
    case 7: return (int)1e10; //~ error[arithmetic]
    case 8: return (unsigned)-1.0f; //~ error[arithmetic]
    default: return 0;
    }
}

int main(void) {
    return (int)of_each_kind(tp_input_uint("kind"));
}
