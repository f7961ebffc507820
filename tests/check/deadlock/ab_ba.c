// check: --property deadlock
// One thread moves money from the first account to the second, the other back: each takes the lock of its source first.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account first = {PTHREAD_MUTEX_INITIALIZER, 5}, second = {PTHREAD_MUTEX_INITIALIZER, 5};

static void move(struct account *from, struct account *to) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock); //~ error[deadlock]
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *back(void *unused) {
    move(&second, &first);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, back, NULL);
    move(&first, &second);
    pthread_join(thread, NULL);
    return 0;
}
