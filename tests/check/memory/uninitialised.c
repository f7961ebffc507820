// check: --property assert,reach-error,lock
// A local variable that nobody has written holds any value.
#include <assert.h>
#include <pthread.h>

static int limit = 10;

static void *work(void *argument) {
    int amount;
    if (*(int *)argument > 3)
        amount = 1;
    assert(amount <= limit); //~ error[assert]
    return NULL;
}

int main(void) {
    static int size = 2;
    pthread_t a;
    pthread_create(&a, NULL, work, &size);
    pthread_join(a, NULL);
    return 0;
}
