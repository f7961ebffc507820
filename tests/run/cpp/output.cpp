// run: --runs 20
// Threads may write to a standard stream at the same time.
#include <iomanip>
#include <iostream>
#include <thread>

static void say(int number)
{
    std::cout << "thread " << std::setw(3) << number << std::endl;
}

int main()
{
    std::thread a(say, 1), b(say, 2);
    a.join();
    b.join();
}
