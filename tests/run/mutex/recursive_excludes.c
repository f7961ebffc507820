// run: --runs 50 --seed 1
// A recursive mutex still keeps other threads out until it is free.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int balance;

static void add(int amount) {
    pthread_mutex_lock(&lock);
    balance += amount;
    pthread_mutex_unlock(&lock);
}

static void *exchange(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    add(5);
    add(-5);
    assert(balance == 0);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t a, b;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_create(&a, NULL, exchange, NULL);
    pthread_create(&b, NULL, exchange, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_mutex_destroy(&lock);
    return 0;
}
