// check:
// The logger is destroyed before the thread that main has left alone is done with it.
#include <memory>
#include <thread>

struct Logger {
    std::unique_ptr<int> lines = std::make_unique<int>(0);
};

static Logger logger;

static void work()
{
    ++*logger.lines; //~ error[race]
}

int main()
{
    std::thread worker(work);
    worker.detach();
}
