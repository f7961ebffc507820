// check:
// One thread frees what the other one reads.
#include <memory>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::unique_ptr<int> value;

int main()
{
    value = std::make_unique<int>(7);
    int *seen = value.get();
    std::thread other([] {
        std::lock_guard<std::mutex> held(lock);
        value.reset();
    });
    int copy;
    {
        std::lock_guard<std::mutex> held(lock);
        copy = *seen; //~ error[memory]
    }
    other.join();
    return copy & 0;
}
