// check: --property assert,reach-error,lock
// Two amounts from outside, each of them small enough; together they are not.
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *withdraw(void *argument) {
    int amount = tp_input_range(argument, 0, 100);
    pthread_mutex_lock(&lock);
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
    tp_assert(balance >= 0); //~ error[assert]
    return 0;
}
