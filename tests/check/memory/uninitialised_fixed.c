// check: --property assert,reach-error,lock
// Every way through the function writes it.
#include <assert.h>
#include <pthread.h>

static int limit = 10;

static void *work(void *argument) {
    int amount;
    if (*(int *)argument > 3)
        amount = 1;
    else
        amount = 2;
    assert(amount <= limit);
    return NULL;
}

int main(void) {
    static int size = 2;
    pthread_t a;
    pthread_create(&a, NULL, work, &size);
    pthread_join(a, NULL);
    return 0;
}
