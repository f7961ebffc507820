// check:
// What happens after a throw is not known.
#include <stdexcept>
#include <threadproof.h>

static int half(int n)
{
    if (n % 2 != 0)
        throw std::invalid_argument("odd"); //~ error[unsupported]
    return n / 2;
}

int main()
{
    int n = tp_input_int("n");
    try {
        return half(n) & 1;
    } catch (const std::invalid_argument &) {
        return 2;
    }
}
