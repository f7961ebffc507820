// check:
#include <thread>

static std::thread start()
{
    int work = 1;
    return std::thread([work]() mutable { work++; });
}

int main()
{
    std::thread worker = start();
    worker.join();
}
