// check:
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> hits{0};

static void hit()
{
    hits++;
    hits.fetch_add(1, std::memory_order_relaxed);
}

int main()
{
    std::thread a(hit), b(hit);
    a.join();
    b.join();
    assert(hits == 4);
}
