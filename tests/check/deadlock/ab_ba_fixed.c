// check: --property deadlock
// One thread moves money from the first account to the second, the other back: both take the lock with
// the lower address first.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};

static void move(struct account *from, struct account *to) {
    struct account *low = from < to ? from : to, *high = from < to ? to : from;
    pthread_mutex_lock(&low->lock);
    pthread_mutex_lock(&high->lock);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *back(void *unused) {
    move(&accounts[1], &accounts[0]);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, back, NULL);
    move(&accounts[0], &accounts[1]);
    pthread_join(thread, NULL);
    return 0;
}
