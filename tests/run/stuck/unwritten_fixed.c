// run: --runs 5 --max-steps 20000
// A loop that ends when a local that was never written is odd: each round has a new one.
#include <sched.h>

int main(void) {
    for (;;) {
        int number;
        if (number & 1)
            break;
        sched_yield();
    }
    return 0;
}
