// check:
// std::scoped_lock takes both locks without deadlock.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
    std::mutex lock;
    int balance = 100;
};

static Account savings, checking;

static void transfer(Account &from, Account &to, int amount)
{
    std::scoped_lock both(from.lock, to.lock);
    from.balance -= amount;
    to.balance += amount;
}

int main()
{
    std::thread a(transfer, std::ref(savings), std::ref(checking), 10);
    std::thread b(transfer, std::ref(checking), std::ref(savings), 20);
    a.join();
    b.join();
    assert(savings.balance == 110 && checking.balance == 90);
}
