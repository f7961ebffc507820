// check:
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int value, calls;

static void look()
{
    std::call_once(once, [] {
        value = 42;
        calls++;
    });
    assert(value == 42);
}

int main()
{
    std::thread a(look), b(look);
    a.join();
    b.join();
    assert(calls == 1);
}
