// check: --property overflow
// Two deposits that each fit do not fit together.
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *amount) {
    pthread_mutex_lock(&lock);
    balance = balance + *(int *)amount; //~ error[overflow]
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
