// The repair: the question under the lock too, whatever the amounts.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void *withdraw(void *name) {
    int amount = tp_input_range(name, 1, 10);
    pthread_mutex_lock(&lock);
    if (balance >= amount)
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
    assert(balance >= 0);
    return 0;
}
