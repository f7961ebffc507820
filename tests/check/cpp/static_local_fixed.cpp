// check:
// C++11: a thread that comes while another one initialises the variable waits.
#include <cassert>
#include <thread>

static int initialised;

struct Counter {
    int value;
    Counter() : value(40) { initialised++; }
};

static Counter &counter()
{
    static Counter the_counter;
    return the_counter;
}

static void look()
{
    assert(counter().value == 40);
}

int main()
{
    std::thread a(look), b(look);
    a.join();
    b.join();
    assert(initialised == 1);
}
