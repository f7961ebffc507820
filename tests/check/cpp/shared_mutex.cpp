// check:
// A reader's lock is not enough to write.
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int value;

static void write()
{
    std::shared_lock<std::shared_mutex> held(lock);
    value++; //~ error[race]
}

int main()
{
    std::thread a(write), b(write);
    a.join();
    b.join();
}
