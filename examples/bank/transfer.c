// A bank with two accounts, each with a lock of its own. A transfer locks what it changes, but the check that there is
// enough money comes before the lock, so two transfers can both see the same money.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account current = {PTHREAD_MUTEX_INITIALIZER, 0};

static void add(struct account *account, int amount) {
    pthread_mutex_lock(&account->lock);
    account->balance += amount;
    pthread_mutex_unlock(&account->lock);
}

static void transfer(struct account *from, struct account *to, int amount) {
    if (from->balance < amount)
        return;
    add(from, -amount);
    add(to, amount);
}

static void *pay_rent(void *unused) {
    (void)unused;
    transfer(&savings, &current, 80);
    return NULL;
}

static void *pay_tax(void *unused) {
    (void)unused;
    transfer(&savings, &current, 50);
    return NULL;
}

int main(void) {
    pthread_t rent, tax;
    pthread_create(&rent, NULL, pay_rent, NULL);
    pthread_create(&tax, NULL, pay_tax, NULL);
    pthread_join(rent, NULL);
    pthread_join(tax, NULL);
    assert(savings.balance + current.balance == 100);
    assert(savings.balance >= 0);
    return 0;
}
