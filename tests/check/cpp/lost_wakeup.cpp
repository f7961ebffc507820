// check:
// The flag is set without the lock: the notification may come between the look at the flag and the wait.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static std::atomic<bool> ready{false};

static void wait_for_it()
{
    std::unique_lock<std::mutex> held(lock);
    changed.wait(held, [] { return ready.load(); }); //~ error[deadlock]
}

int main()
{
    std::thread waiter(wait_for_it);
    ready.store(true);
    changed.notify_one();
    waiter.join();
}
