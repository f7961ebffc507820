// check:
#include <cassert>
#include <mutex>
#include <thread>

static std::recursive_mutex lock;
static int depth;

static void inner()
{
    std::lock_guard<std::recursive_mutex> held(lock);
    depth++;
}

static void outer()
{
    std::lock_guard<std::recursive_mutex> held(lock);
    inner();
    inner();
}

int main()
{
    std::thread a(outer), b(outer);
    a.join();
    b.join();
    assert(depth == 4);
}
