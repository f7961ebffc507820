// check: --engine explore
// The last owner frees the object, whichever thread that is.
#include <cassert>
#include <memory>
#include <thread>

static int destroyed;

struct Value {
    int number = 7;
    ~Value() { destroyed++; }
};

int main()
{
    auto value = std::make_shared<Value>();
    std::thread other([mine = value] { assert(mine->number == 7); });
    value.reset();
    other.join();
    assert(destroyed == 1);
}
