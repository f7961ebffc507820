// check:
// Nothing is thrown, and the handlers do not disturb.
#include <stdexcept>
#include <thread>
#include <threadproof.h>

static int half(int n)
{
    if (n % 2 != 0)
        throw std::invalid_argument("odd");
    return n / 2;
}

int main()
{
    int result = 0;
    std::thread worker([&] { result = half(2 * 21); });
    worker.join();
    try {
        tp_assert(result == 21);
    } catch (const std::invalid_argument &) {
        return 2;
    }
}
