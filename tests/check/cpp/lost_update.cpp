// check:
#include <thread>

static int balance;

static void deposit(int amount)
{
    balance += amount; //~ error[race]
}

int main()
{
    std::thread a(deposit, 10);
    std::thread b(deposit, 20);
    a.join();
    b.join();
}
