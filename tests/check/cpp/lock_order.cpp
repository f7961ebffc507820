// check:
// The two threads take the locks in different orders.
#include <mutex>
#include <thread>

struct Account {
    std::mutex lock;
    int balance = 100;
};

static Account savings, checking;

static void transfer(Account &from, Account &to, int amount)
{
    std::lock_guard<std::mutex> first(from.lock);
    std::lock_guard<std::mutex> second(to.lock); //~ error[deadlock]
    from.balance -= amount;
    to.balance += amount;
}

int main()
{
    std::thread a(transfer, std::ref(savings), std::ref(checking), 10);
    std::thread b(transfer, std::ref(checking), std::ref(savings), 20);
    a.join();
    b.join();
}
