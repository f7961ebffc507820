// Transfers between accounts with a lock each, taken in the order of their addresses: N threads, no deadlock, and no
// money is made or lost.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[N];

static void transfer(struct account *from, struct account *to, int amount) {
    struct account *first = from < to ? from : to, *second = from < to ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
    }
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *customer(void *argument) {
    int me = (intptr_t)argument;
    transfer(&accounts[me], &accounts[(me + 1) % N], 10 * (me + 1));
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    int sum = 0;
    for (int i = 0; i < N; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].balance = 15;
    }
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, customer, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++) {
        assert(accounts[i].balance >= 0);
        sum += accounts[i].balance;
    }
    assert(sum == 15 * N);
    return 0;
}
