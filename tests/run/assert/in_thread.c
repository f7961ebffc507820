// run: --runs 50 --seed 1
// A read between the two halves of an update sees the books out of balance.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int debit, credit;

static void book(int *account) {
    pthread_mutex_lock(&lock);
    *account += 10;
    pthread_mutex_unlock(&lock);
}

static void *transfer(void *unused) {
    (void)unused;
    book(&debit);
    book(&credit);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, transfer, NULL);
    pthread_mutex_lock(&lock);
    assert(debit == credit); //~ error[assert]
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
