// run: --runs 100
#include <memory>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::shared_ptr<int> latest = std::make_shared<int>(0);

static void publish(int value)
{
    auto next = std::make_shared<int>(value);
    std::lock_guard<std::mutex> held(lock);
    latest = next;
}

int main()
{
    std::thread a(publish, 1), b(publish, 2);
    a.join();
    b.join();
}
