// run: --runs 100
// The counts of a shared_ptr may be changed by several threads, the pointer itself may not.
#include <memory>
#include <thread>

static std::shared_ptr<int> latest = std::make_shared<int>(0);

static void publish(int value)
{
    latest = std::make_shared<int>(value); //~ error[race]
}

int main()
{
    std::thread a(publish, 1), b(publish, 2);
    a.join();
    b.join();
}
