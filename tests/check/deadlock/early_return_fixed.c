// check: --property deadlock
// The function has one way out, and unlocks there.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1;

static int withdraw(void) {
    pthread_mutex_lock(&lock);
    int enough = balance > 0;
    if (enough)
        balance--;
    pthread_mutex_unlock(&lock);
    return enough;
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
