// check: --property assert,reach-error,lock
// Two accounts, each with its lock; the total is looked at with both locks held, in an order that both threads agree on.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};
static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 10}};

static void lock_both(void) {
    pthread_mutex_lock(&accounts[0].lock);
    pthread_mutex_lock(&accounts[1].lock);
}

static void unlock_both(void) {
    pthread_mutex_unlock(&accounts[1].lock);
    pthread_mutex_unlock(&accounts[0].lock);
}

static void *transfer(void *argument) {
    struct account *from = argument, *to = from == accounts ? accounts + 1 : accounts;
    lock_both();
    from->balance -= 3;
    to->balance += 3;
    unlock_both();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, transfer, &accounts[0]);
    pthread_create(&b, NULL, transfer, &accounts[1]);
    lock_both();
    assert(accounts[0].balance + accounts[1].balance == 20);
    unlock_both();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
