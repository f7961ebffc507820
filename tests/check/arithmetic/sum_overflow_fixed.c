// check: --property overflow
// What does not fit is refused, under the same lock.
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *amount) {
    pthread_mutex_lock(&lock);
    if (*(int *)amount <= 2147483647 - balance)
        balance = balance + *(int *)amount;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    int a = tp_input_int("a"), b = tp_input_int("b");
    tp_assume(a >= 0 && b >= 0);
    pthread_t s, t;
    pthread_create(&s, NULL, deposit, &a);
    pthread_create(&t, NULL, deposit, &b);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
