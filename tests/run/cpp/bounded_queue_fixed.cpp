// run: --runs 100
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

static std::mutex lock;
static std::condition_variable filled;
static std::queue<int> items;

static void consume()
{
    std::unique_lock<std::mutex> held(lock);
    filled.wait(held, [] { return !items.empty(); });
    items.pop();
}

static void produce(int item)
{
    std::lock_guard<std::mutex> held(lock);
    items.push(item);
    filled.notify_one();
}

int main()
{
    std::thread a(consume), b(consume);
    produce(1);
    produce(2);
    a.join();
    b.join();
}
