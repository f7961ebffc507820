// check: --engine explore
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<std::string> lines;

static void add_line(const std::string &line)
{
    std::lock_guard<std::mutex> held(lock);
    lines.push_back(line + "\n");
}

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++)
        threads.emplace_back(add_line, "thread " + std::to_string(i));
    for (auto &thread : threads)
        thread.join();
    assert(lines.size() == 2 && lines[0] != lines[1]);
    assert(lines[0] == "thread 0\n" || lines[1] == "thread 0\n");
}
