// check: --engine explore
// The thread that takes looks at the queue without the lock.
#include <deque>
#include <mutex>
#include <thread>

class Queue {
    std::mutex lock;
    std::deque<int> items;

public:
    void put(int item)
    {
        std::lock_guard<std::mutex> held(lock);
        items.push_back(item); //~ error[race]
    }

    bool is_empty() const
    {
        return items.empty();
    }
};

int main()
{
    Queue queue;
    std::thread producer([&] { queue.put(1); });
    queue.is_empty();
    producer.join();
}
