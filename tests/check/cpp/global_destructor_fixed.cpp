// check:
#include <memory>
#include <thread>

struct Logger {
    std::unique_ptr<int> lines = std::make_unique<int>(0);
};

static Logger logger;

static void work()
{
    ++*logger.lines;
}

int main()
{
    std::thread worker(work);
    worker.join();
}
