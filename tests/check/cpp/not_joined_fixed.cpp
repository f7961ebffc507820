// check:
#include <thread>

static void work() {}

int main()
{
    std::thread worker(work);
    worker.join();
    return 0;
}
