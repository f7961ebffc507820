// run: --runs 50 --seed 1
// Both halves of the update happen under one lock.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int debit, credit;

static void book(int *account) {
    *account += 10;
}

static void *transfer(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    book(&debit);
    book(&credit);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, transfer, NULL);
    pthread_mutex_lock(&lock);
    assert(debit == credit);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
