// check:
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int balance;

static void deposit(int amount)
{
    std::lock_guard<std::mutex> guard(lock);
    balance += amount;
}

int main()
{
    std::thread a(deposit, 10);
    std::thread b(deposit, 20);
    a.join();
    b.join();
    assert(balance == 30);
}
