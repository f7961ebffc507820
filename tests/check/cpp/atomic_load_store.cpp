// check:
// Both accesses are atomic, but not together.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> hits{0};

static void hit()
{
    int before = hits.load();
    hits.store(before + 1);
}

int main()
{
    std::thread a(hit), b(hit);
    a.join();
    b.join();
    assert(hits == 2); //~ error[assert]
}
