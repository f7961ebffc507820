// check:
// A std::mutex cannot be locked again by the thread that holds it.
#include <mutex>

static std::mutex lock;

static void inner()
{
    std::lock_guard<std::mutex> held(lock); //~ error[deadlock]
}

int main()
{
    std::lock_guard<std::mutex> held(lock);
    inner();
}
