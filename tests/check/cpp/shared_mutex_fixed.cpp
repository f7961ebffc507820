// check:
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int first, second;

static void write()
{
    std::unique_lock<std::shared_mutex> held(lock);
    first++;
    second++;
}

static void read()
{
    std::shared_lock<std::shared_mutex> held(lock);
    assert(first == second);
}

int main()
{
    std::thread a(write), b(read);
    read();
    a.join();
    b.join();
}
