// Deposits without a lock.
#include <pthread.h>

static int balance;

static void *deposit(void *argument) {
    balance += *(int *)argument;
    return NULL;
}

int main(void) {
    static int five = 5, six = 6;
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, &five);
    pthread_create(&b, NULL, deposit, &six);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
