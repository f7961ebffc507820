// Two deposits of at most a billion each, and interest that doubles the balance: each is fine, the sum is not.
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *name) {
    int amount = tp_input_range(name, 0, 1000000000);
    pthread_mutex_lock(&lock);
    balance += amount;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *interest(void *unused) {
    pthread_mutex_lock(&lock);
    balance *= 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, deposit, "salary");
    pthread_create(&b, NULL, deposit, "bonus");
    pthread_create(&c, NULL, interest, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
