// The bank again: both accounts are locked for the whole transfer, always in the order of their numbers.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int number, balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 1, 100};
static struct account current = {PTHREAD_MUTEX_INITIALIZER, 2, 0};

static void transfer(struct account *from, struct account *to, int amount) {
    struct account *first = from->number < to->number ? from : to;
    struct account *second = first == from ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
    }
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
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

static void *pay_back(void *unused) {
    (void)unused;
    transfer(&current, &savings, 30);
    return NULL;
}

int main(void) {
    pthread_t rent, tax, back;
    pthread_create(&rent, NULL, pay_rent, NULL);
    pthread_create(&tax, NULL, pay_tax, NULL);
    pthread_create(&back, NULL, pay_back, NULL);
    pthread_join(rent, NULL);
    pthread_join(tax, NULL);
    pthread_join(back, NULL);
    assert(savings.balance + current.balance == 100);
    assert(savings.balance >= 0);
    return 0;
}
