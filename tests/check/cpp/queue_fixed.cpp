// check: --engine explore
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

class Queue {
    std::mutex lock;
    std::condition_variable filled;
    std::queue<int> items;

public:
    void put(int item)
    {
        std::lock_guard<std::mutex> held(lock);
        items.push(item);
        filled.notify_one();
    }

    int take()
    {
        std::unique_lock<std::mutex> held(lock);
        filled.wait(held, [this] { return !items.empty(); });
        int item = items.front();
        items.pop();
        return item;
    }
};

int main()
{
    Queue queue;
    std::thread producer([&] {
        for (int i = 1; i <= 3; i++)
            queue.put(i);
    });
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += queue.take();
    producer.join();
    assert(sum == 6);
}
