// check:
// The variable is initialised once, but that does not protect what is done with it later.
#include <thread>

struct Counter {
    int value;
    Counter() : value(40) {}
};

static Counter &counter()
{
    static Counter the_counter;
    return the_counter;
}

static void count()
{
    counter().value++; //~ error[race]
}

int main()
{
    std::thread a(count), b(count);
    a.join();
    b.join();
}
