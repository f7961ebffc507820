// check:
// The thread runs on after the function whose variable it was given.
#include <thread>

static std::thread start()
{
    int work = 1;
    return std::thread([&] { work++; }); //~ error[memory]
}

int main()
{
    std::thread worker = start();
    worker.join();
}
