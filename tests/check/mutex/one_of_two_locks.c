// check: --property assert,reach-error,lock
// Money leaves one account and enters the other, each under its own lock: in between there is too little of it.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};
static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 10}};

static void add(struct account *account, int amount) {
    pthread_mutex_lock(&account->lock);
    account->balance += amount;
    pthread_mutex_unlock(&account->lock);
}

static void *transfer(void *unused) {
    (void)unused;
    add(&accounts[0], -3);
    add(&accounts[1], 3);
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, transfer, NULL);
    pthread_mutex_lock(&accounts[0].lock);
    pthread_mutex_lock(&accounts[1].lock);
    assert(accounts[0].balance + accounts[1].balance == 20); //~ error[assert]
    pthread_mutex_unlock(&accounts[1].lock);
    pthread_mutex_unlock(&accounts[0].lock);
    pthread_join(a, NULL);
    return 0;
}
