// check:
// The destructor of a thread that can be joined ends the program.
#include <thread>

static void work() {}

int main()
{
    std::thread worker(work);
    return 0;
} //~ error[lock]
