// Transfers that lock the payer first: two transfers in opposite directions wait for each other.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account mine = {PTHREAD_MUTEX_INITIALIZER, 10}, yours = {PTHREAD_MUTEX_INITIALIZER, 10};

static void transfer(struct account *from, struct account *to) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= 5;
    to->balance += 5;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *pay(void *unused) {
    transfer(&mine, &yours);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, pay, NULL);
    transfer(&yours, &mine);
    pthread_join(thread, NULL);
    return 0;
}
