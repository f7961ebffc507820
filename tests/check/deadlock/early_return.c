// check: --property deadlock
// On its way out for an empty account, the function forgets the lock.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1;

static int withdraw(void) {
    pthread_mutex_lock(&lock); //~ error[deadlock]
    if (balance == 0)
        return 0;
    balance--;
    pthread_mutex_unlock(&lock);
    return 1;
}

static void *spend(void *unused) {
    withdraw();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, spend, NULL);
    pthread_create(&b, NULL, spend, NULL);
    withdraw();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
