// Whether there is enough is asked before the lock: two withdrawals may both find enough for one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int balance = 10;

static void *withdraw(void *name) {
    int amount = tp_input_range(name, 1, 10);
    if (balance >= amount) {
        pthread_mutex_lock(&lock);
        balance -= amount;
        assert(balance >= 0);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, withdraw, "rent");
    pthread_create(&b, NULL, withdraw, "food");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
