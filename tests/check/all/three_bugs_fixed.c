// check: --all --property assert,race,deadlock
// The counter has a lock, the locks have an order, and the balance is changed only if it is still what was checked.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int balance = 1;

static void spend(void) {
    int seen = balance;
    if (seen > 0 && atomic_compare_exchange_strong(&balance, &seen, seen - 1))
        assert(seen > 0);
}

static void *work(void *unused) {
    spend();
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    counter++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, work, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
