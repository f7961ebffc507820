// run: --runs 1 --input amount=120
// The limit is checked; the amount is given on the command line.
#include <threadproof.h>

static int balance = 100;

static int withdraw(int amount) {
    if (amount < 0 || amount > balance)
        return 0;
    balance -= amount;
    return 1;
}

int main(void) {
    withdraw(tp_input_int("amount"));
    tp_assert(balance >= 0);
    return 0;
}
