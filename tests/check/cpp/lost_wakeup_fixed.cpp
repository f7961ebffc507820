// check:
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool ready;

static void wait_for_it()
{
    std::unique_lock<std::mutex> held(lock);
    changed.wait(held, [] { return ready; });
}

int main()
{
    std::thread waiter(wait_for_it);
    {
        std::lock_guard<std::mutex> held(lock);
        ready = true;
    }
    changed.notify_one();
    waiter.join();
}
