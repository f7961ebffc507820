// check: --property assert,reach-error,lock
// Nobody gets more than there is.
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *withdraw(void *argument) {
    int amount = tp_input_range(argument, 0, 100);
    pthread_mutex_lock(&lock);
    if (amount <= balance)
        balance -= amount;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, withdraw, "rent");
    pthread_create(&b, NULL, withdraw, "food");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    tp_assert(balance >= 0);
    return 0;
}
